import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/index.ts';
import { answerMarkup } from '../../src/report/html/answer.ts';
import { escapeText, html } from '../../src/report/html/markup.ts';
import { findShownQuote, toHtml } from '../../src/report/html/page.ts';
import { claimsOf, endedRun } from '../../src/report/run.ts';
import { failedResult } from '../../src/result.ts';
import { runResult } from '../support/journals.ts';
import { checkedRun, hostileRun, hostileTexts, largeRun, plainRun } from './sample-runs.ts';

const answered = (answer: string, more: object = {}) => answerMarkup(runResult({ answer, ...more })).text;

/** Returns a page without its style. */
const markupOf = (page: string) => page.replace(/<style>[\s\S]*?<\/style>/g, '');

/** Returns the text of a page without its markup. */
const wordsOf = (page: string) =>
  markupOf(page)
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');

describe('markup', () => {
  it('is shown as text, with visible controls', () => {
    expect(escapeText(`<a href="x">'&`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;&amp;');
    expect(escapeText('a\u202eb\r\nc\u0007\u200e')).toBe('a⟨U+202E⟩b\nc⟨U+0007⟩⟨U+200E⟩');
    expect(html`<p>${['<', html`<b>${2}</b>`, null]}</p>`.text).toBe('<p>&lt;<b>2</b></p>');
  });

  it('keeps any text without markup or controls', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeText(text)).not.toMatch(/[<>"'\u0000-\u0008\u202a-\u202e]/);
      }),
    );
  });
});

describe('an answer', () => {
  it('keeps lists, headings, code and emphasis, and links marks of existing sources', () => {
    const citations = plainRun.result.citations;
    const text = answered('# Why\n\nIt **broke** [1] in `a<b` [9].\n\n- one\n- two\n\n1. x\n```\n<raw>\n```', {
      citations,
    });
    for (const part of [
      '<h3>',
      '<strong>broke</strong>',
      '<code>a&lt;b</code>',
      '<ul><li>',
      '</ul>',
      '<ol><li value="1">',
      '<pre>&lt;raw&gt;',
    ])
      expect(text).toContain(part);
    expect(text).toContain('href="#source-1"');
    expect(text).not.toContain('href="#source-9"');
    expect(wordsOf(text)).toContain('[9]');
  });

  it('keeps the numbers of a list that other blocks interrupt', () => {
    const text = answered('1. x\n   - y\n2. z\n\nw\n\n12) v');
    expect([...text.matchAll(/<li value="(\d+)">/g)].map(([, number]) => number)).toEqual(['1', '2', '12']);
  });

  it('shows claims by their verdicts, visibly and audibly; without claims, sentences by whether they cite', () => {
    const { text } = answerMarkup(checkedRun.result);
    for (const verdict of ['supported', 'partial', 'contradicted', 'unsupported']) {
      expect(text).toContain(`class="claim ${verdict}"`);
      expect(wordsOf(text)).toContain(`(${verdict})`);
    }
    expect(text).toContain('title="partial, 62 %: the line says who rolled back');
    expect(
      claimsOf(runResult({ answer: 'A is so [1]. B is. \n- [2]\nC [3]' })).map(({ verdict, citations }) => [
        verdict,
        citations,
      ]),
    ).toEqual([
      ['cited', [1]],
      ['uncited', []],
      ['cited', [3]],
    ]);
  });

  it('loses no character, wherever claims and marks are', () => {
    const piece = fc.constantFrom('word ', '[1]', '. ', '\n', '**b**', '`c`', '- ', '<i>', '1. ');
    const range = fc.tuple(fc.nat(60), fc.nat(60));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(range), (pieces, ranges) => {
        const answer = pieces.join('');
        const claims = ranges.map(([start, end]) => ({
          text: 'x',
          start,
          end,
          citations: [],
          support: 1,
          verdict: 'supported',
        }));
        const shown = answered(answer, { claims })
          .replace(/<span class="unseen">.*?<\/span>/g, '')
          .replace(/<[^>]*>/g, '');
        const letters = (text: string) => text.replace(/&lt;|&gt;/g, '').replace(/[^a-z]/g, '');
        expect(letters(shown)).toBe(letters(answer.replace(/```/g, '')));
      }),
    );
  });

  it('has its quotes found whatever their white space', () => {
    expect(findShownQuote('a  b\n c d', 'b c')).toEqual([3, 7]);
    expect(findShownQuote('abc', 'x')).toBe(null);
    expect(findShownQuote('abc', '')).toBe(null);
  });
});

describe('a page', () => {
  it('shows the answer, sources in their lines, plan, critique, contradictions, warnings and cost', () => {
    const page = toHtml(checkedRun);
    const words = wordsOf(page);
    for (const part of [
      'Why did orders fail',
      'logs/payments.log:115',
      'deploy 481 started by release-bot',
      'find the approval',
    ])
      expect(words).toContain(part);
    for (const part of [
      'No record of the approval',
      'the change log has none',
      '2 files were passed by',
      '3 documents, 1.2 MB',
      '16,676 tokens',
    ])
      expect(words).toContain(part);
    expect(page).toMatch(/<mark>payments\.pool\.max changed from 40 to 4<\/mark>/);
    expect(page).toMatch(/class="ring high" role="img" aria-label="confidence 78 of 100"/);
    const paths = [...page.matchAll(/<details class="node" id="node-([^"]+)"/g)].map(([, path]) => path);
    expect(paths).toEqual(['planner', '0', '0-1', '0-2', '0-2-1', '0-3', 'critic']);
    expect(page.match(/<a href="#node-/g)).toHaveLength(10);
    expect(words).toContain('10 calls · up to 3 at once · 24.7 s · planner 3.0 s · reasoner 18.1 s · critic 3.5 s');
    expect(words).toContain('QUESTION: answer');
    expect(words).toContain('changed from 40 to 4');
  });

  it('adds up the time of calls of each provider separately, and counts the lines of an excerpt', () => {
    const { trajectory, result } = plainRun;
    const [model] = result.usage.models;
    const usage = { ...result.usage, models: [model!, { ...model!, provider: 'openai' }] };
    const exchanges = trajectory!.exchanges.slice(0, 2).map((one) => ({ ...one, timeMs: 7_000 }));
    exchanges[1] = { ...exchanges[1]!, provider: 'openai', timeMs: 9_000 };
    const page = toHtml({ ...plainRun, result: { ...result, usage }, trajectory: { ...trajectory!, exchanges } });
    expect([...page.matchAll(/(ollama|openai) qwen.*?([\d.]+ s)<\/td><\/tr>/gs)].map((row) => row.slice(1))).toEqual([
      ['ollama', '7.0 s'],
      ['openai', '9.0 s'],
    ]);
    expect(page).toContain('<summary>All 11 kept lines</summary>');
  });

  it('shows a text once, and links to it from other places', () => {
    const page = toHtml(plainRun);
    const ids = [...page.matchAll(/ id="(text-\d+)"/g)].map(([, id]) => id);
    const links = [...page.matchAll(/<a href="#(text-\d+)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('contains no foreign markup, runs no script and loads nothing', () => {
    const page = toHtml(hostileRun);
    const tags = new Set([...page.matchAll(/<([a-z][\w-]*)/g)].map(([, tag]) => tag));
    expect([...tags].filter((tag) => ['img', 'iframe', 'link', 'object', 'base', 'form'].includes(tag!))).toEqual([]);
    expect(page).not.toMatch(/<script/);
    for (const [tag] of markupOf(page).matchAll(/<[a-z][^>]*>/g))
      expect(tag.replace(/"[^"]*"/g, '')).not.toMatch(/\son\w+=/);
    expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0007\u001b]/);
    expect(page.replace(/http:\/\/evil\.example[^ &"]*/g, '')).not.toMatch(/(?:src|href)="(?!#)/);
    expect(page).toContain(`default-src 'none'; style-src 'sha256-`);
    expect(wordsOf(page)).toContain(escapeText(hostileTexts[1]));
  });

  it('is made from any result: none, cut short, without a trajectory', () => {
    const failed = failedResult('Why?', new RlmError('no-text', 'there is no text', { hint: 'Name files.' }));
    expect(wordsOf(toHtml(endedRun(failed, null)))).toMatch(
      /there is no text ?Name files\..*There is no answer\..*not kept with this run/,
    );
    const call = { place: '0.1 answer 1', prompt: 'answer' as const, text: 'a reply', tokens: { input: 1, output: 2 } };
    const words = wordsOf(toHtml({ ...plainRun, trajectory: null, calls: [call] }));
    expect(words).toMatch(/Prompts and replies ?answer1 in, 2 out ?Its prompt is not kept\. ?a reply/);
  });

  it('stays small with 500 questions', () => {
    const page = toHtml(largeRun(500));
    expect(page.match(/<details class="node"/g)).toHaveLength(500);
    expect(Buffer.byteLength(page)).toBeLessThan(1_200_000);
  });
});

it('the badge of a run names claims that failed', () => {
  expect(toHtml(plainRun)).toContain('<li class="status answered">Answered</li>');
  const unsaid = { ...plainRun, result: { ...plainRun.result, tells: 'nothing' as const } };
  expect(toHtml(unsaid)).toContain('<li class="status answered">Not found</li>');
  expect(toHtml(checkedRun)).toMatch(/<li class="status partial">Answered, 2 claims not supported<\/li>/);
});

it('puts warnings above the critique, and names the requested strategy with the one that was used', () => {
  const page = toHtml(checkedRun);
  expect(page.indexOf('id="warnings"')).toBeGreaterThan(0);
  expect(page.indexOf('id="warnings"')).toBeLessThan(page.indexOf('id="critique"'));
  expect(page).toContain('<li>decompose</li>');
  const plan = { ...checkedRun.result.plan!, approach: 'repl' as const };
  const other = toHtml({ ...checkedRun, result: { ...checkedRun.result, plan } });
  expect(other).toMatch(/<li>repl [a-z]+, decompose used<\/li>/);
});
