import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/index.ts';
import { readLabels } from '../../src/prompts/scan.ts';
import { explore } from '../support/exploring.ts';
import { askScripted, failing, finalAnswer, look, variables } from '../support/scripted-run.ts';

const animals = ['cat', 'dog', 'oak', 'elm', 'ant'];
const lines = (count: number) => Array.from({ length: count }, (_, n) => `${n}: it is a ${animals[n % 5]}`).join('\n');
const labels = ['animal', 'plant'];

/** A model that labels each item by its last word. In the first reply it leaves out the items of `skips`. */
const sorting =
  (skips: (index: number) => boolean = () => false) =>
  (request: ModelRequest) => {
    const { items } = variables(request, 'classify');
    const rows = items.map((item, index) => `${index + 1} ${/oak|elm/.test(item) ? 'B' : 'A'}`);
    return rows.filter((_, index) => items.length < 5 || !skips(index)).join('\n');
  };

const call = (given: object) => look(['classify', { question: 'Is it an animal?', labels, ...given }]);
const documents = [{ name: 'list.txt', text: `${lines(700)}\n` }];
const settings = { context: { maxWindowTokens: 32_768 } };

describe('reading labels', () => {
  it.each([
    ['lines', '1 A\n2 B\n3 A'],
    ['signs around', '[1] a\n2. B\n3: **A**'.replaceAll('*', '')],
    ['one line', '1 A, 2 B, 3 A'],
    ['words in place of letters', '1 animal\n2 plant\n3 Animal'],
  ])('accepts %s', (_, reply) => {
    expect(readLabels(reply, labels, 3)).toEqual(['animal', 'plant', 'animal']);
  });

  it('leaves open items without a label or with an unknown one, and unknown items', () => {
    expect(readLabels('1 A\n3 Z\n9 B', labels, 3)).toEqual(['animal', null, null]);
  });
});

describe('classify', () => {
  it('counts 700 lines by meaning in two calls, with lines, a citable id and a table', async () => {
    const { calls, results, result } = await explore(
      [
        call({ path: 'list.txt' }),
        look(['query', { sql: "select label, count(*), min(first) from labels where text like '%oak' group by 1" }]),
        (request: ModelRequest) => {
          const [, id] = /\[(P\d+)\]/.exec(variables(request, 'explore').steps[0]!.calls[0]!.result)!;
          return finalAnswer(`420 are animals [${id}].`);
        },
      ],
      { documents, settings, script: { classify: sorting() } },
    );
    expect(calls.classify).toBe(2);
    expect(results[0]![0]).toMatch(/700 items got a label:\nanimal: 420\n.*1: 0: it is a cat/);
    expect(results[0]![0]).toContain('plant: 280');
    expect(results[0]![0]).toContain('plant is at list.txt: 3-4, 8-9');
    expect(results[1]![0]).toContain('plant | 140 | 3');
    expect(result.citations).toMatchObject([{ source: 'computed:classify' }]);
  });

  it('asks once more for items that a reply leaves out, and counts those without a label', async () => {
    const { calls, results } = await explore([call({})], {
      documents: [{ name: 'list.txt', text: lines(20) }, ...documents.slice(1)],
      settings,
      script: { classify: sorting((index) => index < 4) },
    });
    expect(calls.classify).toBe(2);
    expect(results[0]![0]).toContain('animal: 12');
    const { results: open } = await explore([call({})], {
      documents: [{ name: 'list.txt', text: lines(20) }],
      settings,
      script: { classify: '1 A\n2 A' },
    });
    expect(open[0]![0]).toMatch(/animal: \d+[\s\S]*\(no label\): \d+/);
  });

  it('judges whole paragraphs, files, or records that a pattern begins', async () => {
    const letters = '--- 1 ---\nDear all,\n\nI have a cat.\n--- 2 ---\nHello,\n\nI have an oak.\n';
    const { of, results } = await explore(
      [call({ each: '^--- \\d+' }), call({ each: 'paragraph' }), call({ each: 'file' })],
      { documents: [{ name: 'letters.txt', text: letters }], settings, script: { classify: sorting() } },
    );
    expect(of('classify').map(({ items }) => items.length)).toEqual([2, 3, 1]);
    expect(of('classify')[0]!.items[1]).toBe('--- 2 ---\nHello,\n\nI have an oak.');
    expect(results[0]![0]).toContain('plant is at letters.txt: 5');
  });

  it('states the needed calls if too few are left, and the fault of a pattern', async () => {
    const { results } = await explore(
      [
        look(...call({}).actions.map(({ tool, arguments: given }) => [tool, given] as const), [
          'classify',
          { question: 'Is it?', labels, each: '(' },
        ]),
      ],
      {
        documents: [{ name: 'list.txt', text: lines(4_000) }],
        settings: { ...settings, budget: { maxCalls: 6 } },
        script: { classify: sorting() },
      },
    );
    expect(results[0]![0]).toMatch(/takes \d+ model calls, and \d are left/);
    expect(results[0]![1]).toMatch(/expression "\("/);
  });

  it('reports why a model gave no labels at all', async () => {
    const { result } = await explore([call({})], {
      documents: [{ name: 'list.txt', text: lines(4) }],
      settings,
      script: { classify: failing('reply-unusable') },
    });
    expect(result.status).not.toBe('failed');
  });

  it('is a function for code, for lists of lines and for texts', async () => {
    const code = [
      'const all = classify(context, "Is it an animal?", ["animal", "plant"]);',
      'print(JSON.stringify(all.counts), all.items[2].label);',
      'const some = classify(context.grep(/oak/, { most: 3 }), "Is it?", ["animal", "plant"]);',
      'print(some.counts.plant, some.items.length);',
      'FINAL("There are 12 " + evidence(all.counts));',
    ].join('\n');
    const { result, calls } = await askScripted(
      { repl: [`\`\`\`js\n${code}\n\`\`\``], classify: sorting() },
      { documents: [{ name: 'list.txt', text: lines(20) }], settings: { strategy: 'repl' } },
      'How many animals?',
    );
    const [step] = result.recursionTree!.steps;
    expect(step!.calls[0]!.result).toBe('{"animal":12,"plant":8} plant\n3 3');
    expect(calls.classify).toBe(2);
    expect(result.answer).toBe('There are 12 [1]');
  });
});
