import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PromptName, prompts } from '../../../src/prompts/index.ts';
import { readAnswer, readReply, validReplies, validReply } from '../../support/replies.ts';

const names = Object.keys(prompts) as PromptName[];
const classes = ['ok', 'repaired', 'failed'];

describe('every reply', () => {
  it('parses to itself when it is valid JSON', () => {
    fc.assert(
      fc.property(validReply, fc.constantFrom(undefined, 2), ([name, reply], indent) => {
        expect(readReply(name, JSON.stringify(reply, null, indent))).toEqual({ class: 'ok', reply });
      }),
    );
  });

  it('parses to itself if its JSON is in a fence, after thinking, or in a wrapper', () => {
    const dress = fc.constantFrom(
      (json: string) => `\`\`\`json\n${json}\n\`\`\``,
      (json: string) => `<think>First {"answer": "no"}, then</think>\n\n${json}\n`,
      (json: string) => `{"output": ${json}}`,
    );
    fc.assert(
      fc.property(validReply, dress, ([name, reply], dressed) => {
        expect(readReply(name, dressed(JSON.stringify(reply)))).toEqual({ class: 'ok', reply });
      }),
    );
  });

  const mutation = fc.oneof(
    fc.nat().map((at) => (json: string) => json.slice(0, at % json.length)),
    fc.nat().map((at) => (json: string) => json.slice(at % json.length)),
    fc.nat().map((at) => (json: string) => dropBracket(json, at)),
    fc.constant((json: string) => json + json),
    fc.constant((json: string) => `${json}\n\n${json}`),
    fc.tuple(fc.string(), fc.string()).map(
      ([before, after]) =>
        (json: string) =>
          before + json + after,
    ),
    fc.constant((json: string) => json.replaceAll('"answer"', '"ответик"')),
    fc.constant((json: string) => json.replaceAll('"', "'")),
    fc.constant((json: string) => json.toUpperCase()),
  );

  it('is classified, however broken, and never throws', () => {
    fc.assert(
      fc.property(validReply, fc.array(mutation, { minLength: 1, maxLength: 3 }), ([name, reply], mutations) => {
        const broken = mutations.reduce((text, mutate) => mutate(text), JSON.stringify(reply));
        expect(classes).toContain(readReply(name, broken).class);
      }),
      { numRuns: 200 },
    );
  });

  it('is never ok with a shorter answer if it was cut within the answer', () => {
    fc.assert(
      fc.property(validReplies.answer, fc.nat(), ({ answer, ...rest }, at) => {
        const json = JSON.stringify({ answer, ...rest });
        const end = JSON.stringify({ answer }).length - 1;
        const parsed = readAnswer(json.slice(0, at % end));
        expect(parsed.class).not.toBe('ok');
      }),
      { numRuns: 200 },
    );
  });

  it('is failed when it was cut at its length limit, unless all required fields came before', () => {
    fc.assert(
      fc.property(validReply, fc.nat(), ([name, reply], at) => {
        const json = JSON.stringify(reply);
        const whole = readReply(name, json);
        const parsed = readReply(name, json.slice(0, at % json.length), true);
        if (parsed.class === 'failed' || whole.class === 'failed') return;
        expect(parsed).toMatchObject({ class: 'repaired', isCut: true });
        const needed = Object.entries(prompts[name].fields).filter(([, { required }]) => required);
        for (const [field] of needed)
          expect((parsed.reply as Record<string, unknown>)[field]).toEqual(
            (whole.reply as Record<string, unknown>)[field],
          );
      }),
    );
  });

  it('may be any string', () => {
    const units = fc.constantFrom(
      ...'{}[]":,\\`*#-_<> \n\r\t0189aé答\u001b\ud800\udfff',
      '<think>',
      '</think>',
      'ANSWER:',
      '```',
    );
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: units, maxLength: 60 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), anything, fc.boolean(), (name, text, isCut) => {
        expect(classes).toContain(readReply(name, text, isCut).class);
      }),
      { numRuns: 200 },
    );
  });
});

function dropBracket(json: string, at: number): string {
  const places = [...json.matchAll(/[{}[\]"]/g)].map(({ index }) => index);
  const place = places[at % Math.max(1, places.length)] ?? 0;
  return json.slice(0, place) + json.slice(place + 1);
}

/** Long enough to reveal code that takes more than linear time. */
const length = 80_000;
const withinMs = 800;

function expectFast(name: PromptName, text: string): void {
  const before = process.cpuUsage();
  readReply(name, text);
  // Processor time does not depend on the load of the machine.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(withinMs);
}

describe('80 KB of anything are read within 0.8 seconds', () => {
  const units = [
    ...['{', '[', '`', '*', '**', '#', '# ', '> ', '-', '- ', '_', ' ', '\n', '\r\n', '\t', '"', '\\', '(', '„', '1. '],
    ...[
      'ANSWER',
      'ANSWER ',
      'ANSWER:',
      'ANSWER:\n',
      'ANSWER\n',
      '**ANSWER**\n',
      'SUB-QUESTION 1 (needs',
      '(needs ',
      '答案：',
    ],
    ...[
      '<think>',
      '</think>',
      '<think></think>',
      '```\n',
      '```json\n',
      '\u001b[',
      '\ud800',
      '[P1] ',
      '85 ',
      '. ?',
      'not ',
    ],
    ...[
      '{"',
      '{"a":',
      '{"a"',
      '{"a":1,',
      '{"a":"\\',
      '{"a"}',
      '{}',
      '{"answer":"x"}',
      '{"question":"x"}\n',
      '[{"',
      '"a":"b" "',
    ],
  ];
  it.each(units)('%j', (unit) => {
    const many = unit.repeat(length / unit.length);
    const texts = [`ANSWER: ${many}x`, `{"answer":"x${many}"]}`, `{"answer":"x","citations":["P1 ${many}"]}`];
    for (const text of texts) expectFast('answer', text);
    for (const text of [`1. x\n2. y${many}`, `{"subQuestions":["x (needs${many}"]}`]) expectFast('decompose', text);
    expectFast('critic', many);
  });

  it.each([' ', '\n', '\n ', '- ', '} '])('%j after the name of a tool or of a verdict', (unit) => {
    const many = unit.repeat(length / unit.length);
    for (const text of [`ACTION: grep${many}!`, `ACTION: grep {${many}!`]) expectFast('explore', text);
    expectFast('critic', `VERDICTS:\n1 | supported${many}!\nCONFIDENCE_SCORE: 80`);
  });

  it('values of one label, also ten times as long', () => {
    const before = process.cpuUsage();
    readReply('answer', 'ANSWER: x\n'.repeat(length));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(10 * withinMs);
  });

  it('lists within lists', () => {
    const deep = `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`;
    expect(readReply('decompose', `{"subQuestions": [{"question": "a", "needs": ${deep}}]}`).class).toBe('ok');
    expect(readReply('critic', `{"confidenceScore": ${deep}}`).class).toBe('failed');
  });
});

const suite = new URL('../../../../shared/data/json-test-suite/', import.meta.url);

describe('the files of JSONTestSuite as replies', () => {
  it.runIf(existsSync(suite))('are classified, and none is ok, because none has an answer', () => {
    const files = readdirSync(suite).filter((name) => name.endsWith('.json'));
    expect(files.length).toBeGreaterThan(300);
    for (const file of files) {
      const text = readFileSync(new URL(encodeURIComponent(file), suite), 'utf8');
      for (const isCut of [false, true]) expect([file, readAnswer(text, isCut).class]).toEqual([file, 'failed']);
      for (const name of names) expect(classes).toContain(readReply(name, text).class);
    }
  });

  it.skipIf(existsSync(suite))('are skipped: ../shared/data/json-test-suite is missing', (test) => test.skip());
});
