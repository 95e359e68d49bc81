import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { referencePages } from '../../scripts/reference.ts';

it('the reference pages have the text of the help (npm run docs writes them)', async () => {
  for (const [name, text] of await referencePages()) {
    const path = new URL(`../../docs/reference/${name}`, import.meta.url);
    expect(await readFile(path, 'utf8'), name).toBe(text);
  }
});
