import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failuresOf, readChecks } from '../../src/cli/actions/checks.ts';
import { ask, RlmError } from '../../src/index.ts';
import { toCodeQuality, toGithubAnnotations, toSarif } from '../../src/report/ci/findings.ts';
import { junitSuite, toJunit } from '../../src/report/ci/junit.ts';
import { toMarkdown } from '../../src/report/markdown.ts';
import { applyThresholds } from '../../src/result.ts';
import { limited, runResult } from '../support/journals.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { checkedRun, citations, hostileRun, plainRun } from './sample-runs.ts';

const withResult = (result: object) => ({ ...plainRun, result: runResult(result) });
/** The fields of SARIF that the tests read. */
interface Told {
  readonly ruleId: string;
  readonly level: string;
  readonly locations: readonly { readonly physicalLocation: { readonly region: { readonly startLine: number } } }[];
}

const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('JUnit', () => {
  it('passes answered questions, fails those below the threshold, and reports errors separately', () => {
    expect(toJunit(plainRun)).toMatch(/<testsuites tests="1" failures="0" errors="0" time="24\.800">/);
    const below = { ...plainRun, result: applyThresholds(plainRun.result, { minConfidence: 90, failOn: null }) };
    expect(toJunit(below)).toMatch(
      /failures="1" errors="0"[\s\S]*<failure message="the confidence is 78; at least 90 is required" type="below-bar">/,
    );
    expect(toJunit(withResult(limited))).toMatch(
      /<error message="the limit of 3 calls is reached" type="limit-calls">[^<]*Raise --max-calls/,
    );
  });

  it('gives no two cases the same name, and accepts any text', () => {
    const [result, name] = [hostileRun.result, '<a> & "b" \u0000 \ud800 \uffff\n'];
    const xml = junitSuite('s', [
      { name, result, failures: [] },
      { name, result, failures: ['it <is> not so'] },
    ]);
    expect(xml).toContain('name="&lt;a&gt; &amp; &quot;b&quot; ⟨U+0000⟩ � �&#10;"');
    expect(xml).toContain('&#10; (2)"');
    expect(
      xml.replace(/<\/?(?:testsuites?|testcase|failure|error|system-out)(?: [\w]+="[^"<]*")*>|<\?xml[^<]*\?>/g, ''),
    ).not.toMatch(/</);
    expect(xml).not.toMatch(invisible);
  });
});

describe('SARIF', () => {
  it('has a result with a place for each failed claim, and for no other', () => {
    const { runs, version } = JSON.parse(toSarif(checkedRun, '1.0.0'));
    expect(version).toBe('2.1.0');
    const told = runs[0].results.map(({ ruleId, level, locations }: Told) => [
      ruleId,
      level,
      locations[0]?.physicalLocation.region.startLine,
    ]);
    expect(told).toEqual([
      ['claim-contradicted', 'error', 31],
      ['claim-unsupported', 'error', citations[0]!.startLine],
      ['claim-partial', 'warning', 120],
    ]);
    expect(runs[0].results[0].message.text).toBe(
      'The payments team had approved the change. (contradicted: the runbook asks for an approval; nothing in the text records one)',
    );
    expect(runs[0].tool.driver.rules.map(({ id }: { id: string }) => id).sort()).toEqual(
      [...new Set(told.map(([id]: string[]) => id))].sort(),
    );
  });

  it('names a claim equally in every run, and encodes file names as addresses', () => {
    const claims = [{ ...checkedRun.result.claims[0]!, verdict: 'contradicted' as const, citations: [1] }];
    const sourced = (source: string) =>
      withResult({ answer: 'A [1].', claims, citations: [{ ...citations[0]!, number: 1, source }] });
    const [one, two] = [sourced('a b/c#1%.md'), sourced('other.md')].map(
      (run) => JSON.parse(toSarif(run, '1.0.0')).runs[0].results[0],
    );
    expect(one.locations[0].physicalLocation.artifactLocation.uri).toBe('a%20b/c%231%25.md');
    expect(one.partialFingerprints).toEqual(
      JSON.parse(toSarif(sourced('a b/c#1%.md'), '1.0.0')).runs[0].results[0].partialFingerprints,
    );
    expect(one.partialFingerprints).not.toEqual(two.partialFingerprints);
    expect(JSON.parse(toSarif(withResult(limited), '1.0.0')).runs[0].invocations[0].executionSuccessful).toBe(false);
  });
});

describe('annotations', () => {
  it('name no file for a computed value', () => {
    const citations = checkedRun.result.citations.map((one) => ({ ...one, source: 'computed:query' }));
    const computed = withResult({ citations });
    const written = [toGithubAnnotations(computed), toCodeQuality(computed), toSarif(computed, '1.0.0')];
    for (const text of written) expect(text).not.toContain('computed:query');
  });

  it('are at the cited lines, worst first, at most 10 of a kind', () => {
    const lines = toGithubAnnotations(checkedRun).trimEnd().split('\n');
    expect(lines[0]).toBe(
      '::error file=docs/runbooks/payments.md,line=31,endLine=31,title=rlm%3A contradicted::The payments team had approved the change. (contradicted: the runbook asks for an approval; nothing in the text records one)',
    );
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      '::error',
      '::error',
      '::warning',
      '::notice',
      '::notice',
    ]);
    const many = withResult({ answer: 'It is so [1].\n'.repeat(30), citations: citations.slice(0, 1) });
    expect(toGithubAnnotations(many).trimEnd().split('\n')).toHaveLength(10);
    const control = [{ ...citations[0]!, source: 'a\u001b[31m.md' }];
    const claims = [{ ...checkedRun.result.claims[0]!, citations: [control[0]!.number] }];
    expect(toGithubAnnotations(withResult({ claims, citations: control }))).toMatch(/^::\w+ file=a[^\u001b]*$/);
    expect(toGithubAnnotations(withResult(limited))).toBe(
      '::error title=rlm::the limit of 3 calls is reached%0ARaise --max-calls.\n',
    );
  });

  it('let no text begin a workflow command', () => {
    const lines = toGithubAnnotations(hostileRun).trimEnd().split('\n');
    for (const line of lines)
      expect(line).toMatch(/^::(error|warning|notice) (file=[^:,]*,line=\d+,endLine=\d+,)?title=[^:,]*::/);
  });

  it('are a code quality report for GitLab', () => {
    expect(JSON.parse(toCodeQuality(checkedRun))[0]).toEqual({
      description: expect.stringContaining('had approved'),
      check_name: 'claim-contradicted',
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      severity: 'major',
      location: { path: 'docs/runbooks/payments.md', lines: { begin: 31, end: 31 } },
    });
  });
});

describe('Markdown', () => {
  it('holds the answer, its sources, claims, doubts and the tree', () => {
    const text = toMarkdown(checkedRun);
    for (const part of [
      '## Why did orders fail',
      '**Answered · confidence 78/100 · 24.8 s',
      '1. `logs/payments.log:115` — “payments.pool.max changed',
    ])
      expect(text).toContain(part);
    expect(text).toContain('| ⛔ contradicted | 8 % | The payments team had approved the change \\[5\\].');
    expect(text).toContain('    - Which error do the failed orders have in common? (direct, answered, 1 call)');
  });

  it('keeps fenced code if all renderers agree on its end', () => {
    const shown = (answer: string) => toMarkdown({ ...checkedRun, result: { ...checkedRun.result, answer } });
    expect(shown('a <b>\n```ts\nif (a < b) @x[1](2) && c\n```\n<i> @you')).toContain(
      'a &lt;b>\n```ts\nif (a < b) @x[1](2) && c\n```\n&lt;i> &#64;you',
    );
    for (const answer of ['~~~\n```\n~~~\n<i>\n```', '- x\n  ```\n<i>\n  ```', '````\n```\n<i>', '```a`\n<i>'])
      expect(shown(answer)).not.toContain('<i>');
  });

  it.each([
    ['Use `Map<K, V>` & `a && b`.', 'Use `Map<K, V>` &amp; `a && b`.'],
    ['`<a>` and <b>\n\n```ts\n`x\n```\n`<c>`', '`<a>` and &lt;b>\n\n```ts\n`x\n```\n`<c>`'],
    ['`a` <b>` <i>', '`a` &lt;b>` &lt;i>'],
    ['a ` b\n`<i>`', 'a ` b\n`&lt;i>`'],
    ['\\`a` <b> `<i>`', '\\`a` &lt;b> `&lt;i>`'],
    ['``a` <b>`` `<i>`', '``a` &lt;b>`` `&lt;i>`'],
    ['| `a | b` `<i>` |', '| `a | b` `&lt;i>` |'],
    ['- ```\n`<i>`', '- ```\n`&lt;i>`'],
  ])('keeps inline code only if every renderer sees code: %j', (answer, shown) => {
    expect(toMarkdown({ ...checkedRun, result: { ...checkedRun.result, answer } })).toContain(`\n${shown}\n`);
  });

  it('makes no HTML, picture, link or mention from foreign text', () => {
    const text = toMarkdown(hostileRun).replace(/<\/?(?:details|summary)>|`+[^`]*`+/g, '');
    expect(text).not.toMatch(/<(?:script|img|svg|style)/);
    expect(text).not.toMatch(/(?<!\\)!\[|(?<!\\)\]\(|(?<!&#64;)@\w/);
    expect(text).not.toMatch(invisible);
  });
});

describe('a check', () => {
  const result = runResult({
    answer: 'Yes: all of it is known [1].',
    confidence: 60,
    citations: citations.slice(0, 1),
  });
  it.each([
    [{}, 0],
    [{ begins: 'yes', contains: 'known', cites: 'logs/*.log', minConfidence: 60 }, 0],
    [{ begins: 'no' }, 1],
    [{ begins: 'ye' }, 1],
    [{ contains: ['no', 'IS  known'], excludes: 'now' }, 1],
    [{ excludes: ['all of it'] }, 1],
    [{ cites: ['*.log', 'payments.log', '{docs,logs}/*'] }, 0],
    [{ cites: ['*.mbox', './payments.log', 'log*/pay.log'] }, 3],
    [{ cites: ['docs/*', 'logs/payments.log'] }, 1],
    [{ minConfidence: 61 }, 1],
  ])('%j has %i failures', (expected, count) => {
    expect(failuresOf({ question: 'Is it?', ...expected }, result)).toHaveLength(count);
  });

  it('does not judge the SQL in an answer', async () => {
    const cwd = tempFolder({ 'vans.csv': 'van,cost\nA,21\nB,35\nC,12\n' });
    const env = { HOME: cwd, RLM_PROVIDER: 'extractive' };
    const found = await ask('What is the cost of B?', { paths: ['vans.csv'], cwd, env });
    expect(found.answer).toMatch(/^SQL .* LIMIT 21$/m);
    const check = { question: 'What is the cost of B?', contains: ['35', '21'], excludes: 'select' };
    expect(failuresOf(check, found)).toEqual(['the answer does not contain "21"']);
  });

  it.each([
    ['Does the text describe unicorns?', { contains: 'unicorns' }, 1],
    ['Does the text describe unicorns?', { begins: 'Not found', excludes: 'unicorns' }, 0],
    ['Is the removed flag still described?', { begins: 'no' }, 1],
    ['Is the removed flag still described?', { contains: 'model', excludes: 'lines' }, 1],
    ['Is the removed flag still described?', { begins: 'The removed flag', contains: '--legacy' }, 0],
    ['Which flag is removed, and which unicorn flies?', { contains: ['legacy', 'not found', 'unicorn'] }, 1],
  ])('%s judges no text that code adds to the answer: %j has %i failures', async (question, expected, count) => {
    const cwd = tempFolder({ 'docs.md': 'The removed flag --legacy is still described here.\n' });
    const found = await ask(question, { paths: ['docs.md'], cwd, env: { HOME: cwd, RLM_PROVIDER: 'extractive' } });
    expect(failuresOf({ question, ...expected }, found)).toHaveLength(count);
  });

  it('is refused with its file if a cited source is not a glob, before anything is asked', () => {
    const path = join(tempFolder(), 'checks.yaml');
    writeFileSync(path, `checks:\n  - question: a\n    cites: ["*.log", "${'{a,b}'.repeat(20)}"]\n`);
    expect(() => readChecks(path)).toThrow(/checks\.0\.cites: .*more than 1000 globs/);
  });

  it('only fails if there is no answer', () => {
    expect(failuresOf({ question: 'Is it?', contains: 'a' }, runResult({ answer: null }))).toEqual([
      'there is no answer',
    ]);
    expect(new RlmError('usage', 'x').exitCode).toBe(2);
  });
});
