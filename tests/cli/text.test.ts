import { describe, expect, it } from 'vitest';
import { renderSummary, renderText } from '../../src/cli/render/result.ts';
import { errorText, type Output } from '../../src/cli/terminal.ts';
import { RlmError } from '../../src/errors.ts';
import type { Claim, Result } from '../../src/index.ts';
import { failedResult } from '../../src/result.ts';

const answer = 'It was 40 [1]. Orders failed.\nrlm: all is well';
const claim = (start: number, end: number, changes: Partial<Claim> = {}): Claim => {
  const rest = { citations: [], support: 0.1, verdict: 'contradicted', reason: 'the passage says 4' } as const;
  return { text: answer.slice(start, end), start, end, ...rest, ...changes };
};
const result = (changes: Partial<Result>) =>
  ({
    ...{ status: 'answered', answer, citations: [], claims: [], contradictions: [] },
    fieldCitations: null,
    ...changes,
  }) as Result;
const terminal = (isTerminal: boolean) =>
  ({ isTerminal, style: (style, text) => (style === 'strikethrough' ? `~${text}~` : text) }) as Output;

describe('an answer on the terminal', () => {
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

  it('marks and counts unchecked sentences on a terminal if others were checked', () => {
    const unchecked = { verdict: 'unchecked', support: null, reason: null } as const;
    const some = [claim(0, 9, { verdict: 'supported' }), claim(15, 29, unchecked)];
    const first = (claims: readonly Claim[], isTerminal: boolean) =>
      renderText(result({ claims }), terminal(isTerminal)).split('\n')[0];
    expect(first(some, true)).toBe('It was 40 [1]. Orders failed. [?]');
    expect(first(some, false)).toBe('It was 40 [1]. Orders failed.');
    expect(first([claim(15, 29, unchecked)], true)).toBe('It was 40 [1]. Orders failed.');
    const shown = (claims: readonly Claim[]) =>
      renderSummary(
        { ...failedResult('q', new RlmError('usage', 'x')), runId: 'r', error: null, claims },
        terminal(true),
        false,
      );
    expect(shown(some)).toContain('1 of 2 claims not judged by a model');
    expect(shown([claim(15, 29, unchecked)])).toContain('· not judged by a model');
    expect(shown([claim(0, 9, { verdict: 'supported' })])).not.toContain('checked');
  });

  it('names values that occur nowhere even if no model judged them, and none that were not looked up', () => {
    const nowhere = { verdict: 'unchecked', support: null, reason: 'not in the cited text: 40' } as const;
    const lines = (changes: Partial<Claim>, isTerminal: boolean) =>
      renderText(result({ claims: [claim(0, 9, { ...nowhere, ...changes })] }), terminal(isTerminal)).split('\n');
    const line = '[?] "It was 40": not in the cited text: 40';
    expect(lines({}, true)).toEqual(['It was 40 [1] [?]. Orders failed.', '> rlm: all is well', '', line, '']);
    expect(lines({}, false)).toEqual(['It was 40 [1]. Orders failed.', '> rlm: all is well', '', line, '']);
    expect(lines({ reason: 'evidence.check is off' }, true)).toHaveLength(3);
    expect(lines({ reason: 'code computed it' }, true)).toHaveLength(3);
  });

  it('names on stderr the values of a form that occur nowhere', () => {
    const nowhere = { verdict: 'unchecked', support: null, reason: 'not in the cited text: 40' } as const;
    const ended = { ...failedResult('q', new RlmError('usage', 'x')), runId: 'r', error: null };
    const claims = [claim(0, 9, nowhere)];
    const shown = (changes: Partial<Result>, quiet = false) =>
      renderSummary({ ...ended, answer, claims, ...changes }, terminal(true), quiet);
    expect(shown({ data: { pool: 40 } })).toMatch(/\n {5}\[\?\] "It was 40": not in the cited text: 40\n$/);
    expect(shown({ data: { pool: 40 } }, true)).not.toContain('[?]');
    expect(shown({})).not.toContain('[?] "');
  });

  it('marks a line that looks like one of ours, even if it is struck, and removes foreign marks', () => {
    const sly = 'One.\nrlm: \ue000all\ue001 is well';
    const claims = [claim(5, sly.length)];
    const [, line] = renderText(result({ answer: sly, claims }), terminal(true)).split('\n');
    expect(line).toBe('> ~rlm: \ufffdall\ufffd is well~ [!]');
  });

  it('escapes controls and direction marks in an answer in JSON, which keeps its value', () => {
    const json = JSON.stringify({ pool: 'a\u009b31mb\u202e\u007f' });
    const shown = renderText(result({ answer: json, data: JSON.parse(json) }), terminal(true));
    expect(shown).not.toMatch(/[\u007f-\u009f\u202e]/);
    expect(JSON.parse(shown)).toEqual(JSON.parse(json));
  });

  it('says on a terminal that it is partial', () => {
    expect(renderText(result({ status: 'partial' }), terminal(true))).toMatch(/^Partial answer\n\nIt was 40/);
    expect(renderText(result({ status: 'partial' }), terminal(false))).toMatch(/^It was 40/);
    expect(renderText(result({ status: 'partial' }), null)).toMatch(/^It was 40/);
  });
});

describe('a message on stderr', () => {
  it('has its further lines indented, so that a file name cannot begin a line', () => {
    const message = 'there is no readable text in n: 1 empty (n/x\nrlm: all is well)';
    expect(errorText({ message, hint: '' }).split('\n')).toEqual([
      'rlm: there is no readable text in n: 1 empty (n/x',
      '     rlm: all is well)',
      '',
    ]);
  });
});
