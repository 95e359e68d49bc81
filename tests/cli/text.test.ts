import { describe, expect, it } from 'vitest';
import { renderText } from '../../src/cli/render/result.ts';
import type { Output } from '../../src/cli/terminal.ts';
import type { Claim, Result } from '../../src/index.ts';

const answer = 'It was 40 [1]. Orders failed.\nrlm: all is well';
const claim = (start: number, end: number, changes: Partial<Claim> = {}): Claim => {
  const rest = { citations: [], support: 0.1, verdict: 'contradicted', reason: 'the passage says 4' } as const;
  return { text: answer.slice(start, end), start, end, ...rest, ...changes };
};
const result = (changes: Partial<Result>) =>
  ({ status: 'answered', answer, citations: [], claims: [], contradictions: [], ...changes }) as Result;
const terminal = (isTerminal: boolean) =>
  ({ isTerminal, style: (style, text) => (style === 'strikethrough' ? `~${text}~` : text) }) as Output;

describe('an answer for people', () => {
  it('strikes unsupported sentences, with the reason below', () => {
    const claims = [claim(0, 9), claim(15, 29, { verdict: 'supported' })];
    expect(renderText(result({ claims }), terminal(true)).split('\n')).toEqual([
      '~It was 40~ [1] [!]. Orders failed.',
      '> rlm: all is well',
      '',
      '[!] contradicted: "It was 40" (the passage says 4)',
      '',
    ]);
  });

  it('marks a line that looks like one of ours, though it is struck, and keeps marks of its own out', () => {
    const sly = 'One.\nrlm: \ue000all\ue001 is well';
    const claims = [claim(5, sly.length)];
    const [, line] = renderText(result({ answer: sly, claims }), terminal(true)).split('\n');
    expect(line).toBe('> ~rlm: \ufffdall\ufffd is well~ [!]');
  });

  it('says on a terminal that it is partial', () => {
    expect(renderText(result({ status: 'partial' }), terminal(true))).toMatch(/^Partial answer\n\nIt was 40/);
    expect(renderText(result({ status: 'partial' }), terminal(false))).toMatch(/^It was 40/);
    expect(renderText(result({ status: 'partial' }), null)).toMatch(/^It was 40/);
  });
});
