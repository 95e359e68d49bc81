import { expect, it } from 'vitest';
import type { ReadText } from '../../src/assemble/read-text.ts';
import { closeOpened, sharedText, shareText } from '../../src/assemble/read-text.ts';

it('frees the text once, when it is closed and its last user has finished', () => {
  let closed = 0;
  const text = { documents: [] };
  shareText(text, { paths: ['a.md'], close: () => closed++ } as unknown as ReadText, '/somewhere');
  const [first, second] = [sharedText(text), sharedText(text)];
  expect(first.paths).toEqual(['a.md']);
  first.close();
  first.close();
  closeOpened(text);
  expect(closed).toBe(0);
  expect(() => sharedText(text)).toThrow('that is not closed');
  second.close();
  closeOpened(text);
  expect(closed).toBe(1);
});

it('knows only opened texts', () => {
  expect(() => sharedText({ documents: [] })).toThrow('a result of openContext');
});
