import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../../src/context/store/store.ts';
import { underAt, underBytes, withUnder } from '../../../src/context/under/passage-under.ts';
import { createUnderReader } from '../../../src/context/under/under-reader.ts';

/** Returns the `under` of the last passage that contains a text. */
function underOf(name: string, text: string, holds: string, overlapBytes = 0): readonly string[] {
  const store = createContextStore([{ name, bytes: Buffer.from(text) }], {
    kind: 'lines',
    chunkBytes: 90,
    overlapBytes,
  });
  const chunks = Array.from({ length: store.chunkCount }, (_, index) => store.chunk(index));
  const passage = store.passage(chunks.findLast((chunk) => store.text(chunk).includes(holds))!, 1);
  return withUnder(store, passage).under ?? [];
}

const filler = (lines: number) => 'Some words that fill a line.\n'.repeat(lines);

/** Returns the headings of a line, looked up by a byte in its middle. */
function underLine(name: string, text: string, line: string): readonly string[] {
  const store = createContextStore([{ name, bytes: Buffer.from(text) }], { kind: 'lines', chunkBytes: 90 });
  return underAt(store, store.documents[0]!.name, Buffer.byteLength(text.slice(0, text.indexOf(line))) + 2);
}

describe('the headings of a line', () => {
  it('are its headings, even in a long document', () => {
    const text = `# Minutes\n\n## 26 January\n\nÉcole is granted.\n\n## 3 March\n\n${filler(2_000)}\n## 9 May\n\nThe end.\n`;
    expect(underLine('m.md', text, 'École')).toEqual(['# Minutes', '## 26 January']);
    expect(underLine('m.md', text, 'The end.')).toEqual(['# Minutes', '## 9 May']);
    expect(underLine('m.md', text, '# Minutes')).toEqual([]);
    expect(underLine('m.csv', 'id,total\n1,2\n3,4\n', '3,4')).toEqual(['id,total']);
  });

  it('are the head of a letter: the short lines around its date', () => {
    const letter = (n: number, body: string) =>
      `--- ${n} ---\n13 May 2023\nElke Fenneinga, the Fjord line\n\n${body}\n\nCordially\n\n`;
    const text = letter(1, 'I had a cake with me.') + letter(2, 'It was late.\nThe ramp has new paint.');
    const head = ['13 May 2023', 'Elke Fenneinga, the Fjord line'];
    expect(underLine('l.txt', text, 'I had')).toEqual(['--- 1 ---', ...head]);
    expect(underLine('l.txt', text, 'The ramp')).toEqual(['--- 2 ---', ...head]);
    const chat = 'Monday, 9 February 2026\nmara: the disk is full\nivo: which one\njo: the second\n';
    expect(underLine('l.txt', `${chat}\n${chat}`, 'jo:')).toEqual(['Monday, 9 February 2026']);
  });

  it('include nothing of another mail in the same mailbox', () => {
    const mail = (at: string, body: string) => `From: a@x.org\nDate: Mon, 1 Jan 2024 ${at}\nSubject: S\n\n${body}\n\n`;
    const first = 'Monday, 5 May 2024\n\n10:20 Kim: see you there\nI am on the way.';
    const text = mail('10:00:00 +0000', first) + mail('11:00:00 +0000', 'It costs 4.');
    expect(underLine('m.txt', text, 'I am')).toEqual(['Monday, 5 May 2024', '10:20 Kim: see you there']);
    expect(underLine('m.txt', text, 'It costs')).toEqual([]);
    const mbox = text.replace(/^From: a@x.org/gm, 'From a@x.org Mon Jan  1 10:00:00 2024\n$&');
    expect(underLine('mail', mbox, 'It costs')).toEqual([]);
    expect(underLine('mail', `${mbox}From a@x.org Tue Jan 2 10:00:00 2024\nTo: b@x.org\n`, 'To: b')).toEqual([]);
  });

  it('are the definitions around code, and the definition below a comment', () => {
    const text = `#include <x>\n\n/**\n * Adds two numbers.\n * @returns the sum\n */\nexport function add(a, b) {\n  // plain\n  return a + b;\n}\n\nexport function sub(a, b) {\n  return a - b;\n}\n`;
    expect(underLine('a.ts', text, 'export function add')).toEqual(['Adds two numbers. @returns the sum']);
    expect(underLine('a.ts', text, 'return a + b')).toEqual(['export function add(a, b) {']);
    expect(underLine('a.ts', text, 'export function sub')).toEqual([]);
  });
});

describe('the headings of a passage', () => {
  it('are given for lines that are not a chunk, but not for other texts than documents', () => {
    const text = `# Minutes\n\n## 7. Snow\n\n${filler(5)}`;
    const store = createContextStore([{ name: 'm.md', bytes: Buffer.from(text) }], { kind: 'lines', chunkBytes: 90 });
    const lines = {
      ...store.passage(store.chunk(0), 1),
      id: 'P0',
      startByte: text.indexOf('Some'),
      text: 'Some words',
    };
    expect(withUnder(store, lines).under).toEqual(['# Minutes', '## 7. Snow']);
    expect(withUnder(store, { ...lines, source: 'computed:1' }).under).toBeUndefined();
  });

  it('are the headings of Markdown, not those in a fence, and the head of a table', () => {
    const text = `# Guide\n\n## Setup\n${filler(4)}\n~~~sh\n# no heading\n~~~\n\n### Keys\n${filler(3)}\nLast line.\n${filler(2)}`;
    expect(underOf('a.md', text, '~~~sh')).toEqual(['# Guide', '## Setup']);
    expect(underOf('a.md', text, 'Last')).toEqual(['# Guide', '## Setup', '### Keys']);
    const table = `# Ports\n\n| name | port |\n|---|---|\n${Array.from({ length: 9 }, (_, n) => `| service ${n} | 800${n} |\n`).join('')}`;
    expect(underOf('a.md', table, '| service 5 ')).toEqual(['# Ports', '| name | port |']);
  });

  it('are one heading of each level, even if the document skips a level', () => {
    const text = `# Guide\n\n### Setup\n${filler(4)}\n### Keys\n${filler(3)}\nLast line.\n`;
    expect(underOf('a.md', text, 'Last')).toEqual(['# Guide', '### Keys']);
    expect(underOf('a.md', `### Setup\n${filler(4)}\n## Keys\n${filler(3)}\nLast line.\n`, 'Last')).toEqual([
      '## Keys',
    ]);
  });

  it('are the headings of a passage that begins with a comment in fenced code', () => {
    const read = createUnderReader('a.md')!;
    read('# Guide\n## Setup\n~~~sh\n');
    expect(read('# no heading\nls\n~~~\n')).toEqual(['# Guide', '## Setup']);
  });

  it('are the headings below a line of code in backticks', () => {
    const text = `# Guide\n\`\`\`inline\`\`\`\n## Setup\n${filler(4)}\nLast line.\n`;
    expect(underOf('a.md', text, 'Last')).toEqual(['# Guide', '## Setup']);
  });

  it('are the head of a table, even far above', () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => `${n},north,${n * 2}\n`).join('');
    expect(underOf('a.csv', `id,region,total\n${rows}`, '1999,')).toEqual(['id,region,total']);
    expect(underOf('a.csv', `id,region,total\n${rows}`, 'id,region')).toEqual([]);
  });

  it('are the definitions that contain a line of code', () => {
    const text = `export class Pool {\n  constructor(size) {\n    this.size = size\n  }\n\n  take(count) {\n    if (count > this.size) {\n      refuse(count, 'there are not so many of them')\n      again()\n    }\n    return this.size -= count\n  }\n}\n`;
    const store = createContextStore([{ name: 'a.js', bytes: Buffer.from(text) }], { chunkBytes: 270 });
    const found = Array.from({ length: store.chunkCount }, (_, at) =>
      withUnder(store, store.passage(store.chunk(at), 1)),
    );
    expect(found.map(({ under }) => under)).toContainEqual(['export class Pool {', 'take(count) {']);
    const python = createUnderReader('a.py')!;
    python('class Pool:\n    def take(self):\n        x = 1\n');
    expect(python('        return x\n')).toEqual(['class Pool:', 'def take(self):']);
    expect(python('def other():\n')).toEqual([]);
  });

  it('are the keys above a value of YAML, and the section of TOML', () => {
    const yaml = createUnderReader('a.yaml')!;
    yaml('spec:\n  containers:\n    - name: api\n      resources:\n        limits:\n          cpu: 1\n');
    expect(yaml('          memory: 1Gi\n')).toEqual(['spec:', 'containers:', '- name: api', 'resources:', 'limits:']);
    expect(yaml('    - name: proxy\n      image: x\n')).toEqual(['spec:', 'containers:']);
    expect(yaml('      image: y\n')).toEqual(['spec:', 'containers:', '- name: proxy']);
    const toml = createUnderReader('a.toml')!;
    toml('[tool.ruff]\nline-length = 120\n');
    expect(toml('indent = 2\n')).toEqual(['[tool.ruff]']);
    expect(toml('[tool.pytest]\n')).toEqual([]);
  });

  it('are the day of a log, and the speaker of a continued message', () => {
    const text = `Monday, 9 February 2026\n09:10 disk is full on the second node\n${filler(3)}09:11 disk is empty again, all is well\n10:00 mara: this is long:\n${filler(6)}`;
    expect(underOf('a.log', text, '09:11')).toEqual(['Monday, 9 February 2026']);
    expect(underOf('a.txt', text.repeat(2), 'Some')).toContain('Monday, 9 February 2026');
  });

  it('include no line of a list, no sentence with a date, and no function without a name', () => {
    const list = Array.from({ length: 40 }, (_, n) => `${490 + n}. What 1920s star rode horse ${n} ?\n`).join('');
    expect(underOf('a.txt', list, '525.')).toEqual([]);
    const dated = `The house was sold on 5 May 1999.\nOn May 5, 1999 the house was sold again\n${filler(9)}`;
    expect(underOf('a.txt', dated, 'Some')).toEqual([]);
    expect(underOf('a.txt', `--- 5 May 1999 ---\n${filler(9)}`, 'Some')).toEqual(['--- 5 May 1999 ---']);
    const code = `export const cached =\n  ({ archives }) =>\n  async (call) => {\n${'    work(call, archives);\n'.repeat(9)}  };\n`;
    expect(underOf('a.ts', code, 'work')).toEqual(['export const cached =']);
  });

  it('do not name lines in the overlap, and count in a prompt', () => {
    const text = `# Guide\n\n## Setup\n\n${filler(12)}`;
    expect(underOf('a.md', text, 'Some', 400)).toEqual([]);
    expect(underBytes({ under: ['# Guide', '## Setup'] })).toBe(21);
    expect(underBytes({})).toBe(0);
  });

  it('are found for any text, and are always lines of the text', () => {
    const line = fc.constantFrom(
      '# A',
      '## B',
      '```',
      '| a | b |',
      'function f() {',
      '}',
      '  x()',
      '09:00 ivo: hi',
      '',
      'é',
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 60 }),
        fc.constantFrom('a.md', 'a.ts', 'a.csv', 'a.txt', 'x'),
        (lines, name) => {
          const store = createContextStore([{ name, bytes: Buffer.from(lines.join('\n')) }], { chunkBytes: 30 });
          for (let at = 0; at < store.chunkCount; at++)
            for (const over of withUnder(store, store.passage(store.chunk(at), 1)).under ?? [])
              expect(lines.map((one) => one.trim())).toContain(over);
        },
      ),
    );
  });
});
