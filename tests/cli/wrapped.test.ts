import { expect, it } from 'vitest';
import { wrapAnswer } from '../../src/cli/render/live/wrapped.ts';

it('an answer wraps at words, aligned with the text of its item, and code is not wrapped', () => {
  const code = `\`\`\`\n${'x'.repeat(40)} ${'y'.repeat(10)}\n\`\`\``;
  const text = `one two three four five\n- one two three four\n[12] a.md:3  "quoted words here"\n${code}`;
  const shown = wrapAnswer(text, 20);
  expect(shown.split('\n')).toEqual([
    'one two three four',
    'five',
    '- one two three four',
    '[12] a.md:3  "quoted',
    '     words here"',
    ...code.split('\n'),
  ]);
  expect(wrapAnswer('[?] one two three four five', 20).split('\n')[1]).toBe('    four five');
  expect(wrapAnswer('\u001b[33m[!]\u001b[39m one two three four five', 20).split('\n')[1]).toBe('    four five');
});
