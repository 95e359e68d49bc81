import { describe, expect, it } from 'vitest';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const changelog = `# Changelog

## 3.1.0

* Faster start.

## 3.0.0

* Node 18 is no longer supported.
* \`open\` returns a promise.
* The \`sync\` option is gone.
* Errors have codes.
* Files are closed when the process ends.

## 2.9.4

* Fixed a crash when the file is empty.
* Fixed a wrong column in messages.
`;

const manual = `# Options

#### \`edgeLimit\` (Number)

How many edges a graph may have.

#### \`nestingLimit\` (Number)

How deep an object may be nested before the rest of it is left out.

It counts from the root of the logged object, whose depth is 0, and arrays count as objects do.

Default: \`5\`

#### \`onLimit\` (Function)

Called when something was left out.

## Rooms

Up to 140 a night, breakfast included.

## Files

The cache is kept in the state folder and holds 500 MB at most. It is emptied when the program is installed again. Nobody
else reads it.
`;

const chat = `[2026-02-09 08:58:12] mara: morning. coffee machine on 3 is dead again
[2026-02-09 09:03:31] ivo: what happens with the synonyms file?
[2026-02-09 09:04:10] dev-bot: build #4101 main passed in 6m12s
[2026-02-09 09:05:02] lena: it moves into the repo, reviewed like code from now on
[2026-02-09 09:05:30] ivo: nice
[2026-02-09 11:12:20] mara: nova-3 ran full tonight, shards moved away
[2026-02-09 11:40:01] sam: root cause: nova-3 still had the snapshot of the load test, nobody cleaned it up
[2026-02-09 11:41:13] mara: ok, gone now
`;

const texts = { 'CHANGELOG.md': changelog, 'manual.md': manual, 'chat.txt': chat };

const ask = async (question: string, file: keyof typeof texts) => {
  const cwd = createFolder(texts);
  const result = resultOf(await rlm(['ask', question, file, '-p', 'extractive', '--json'], { cwd }));
  return { ...result, lines: (result.answer ?? '').split('\n').map((line: string) => line.replace(/ \[\d+\]$/, '')) };
};

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe.concurrent('rlm ask without a model reads structure', { timeout: 60_000 }, () => {
  it('a heading brings its list, whole and alone', async () => {
    const { lines } = await ask('What changed in 3.0.0?', 'CHANGELOG.md');
    expect(lines.slice(0, 6)).toEqual([
      '3.0.0',
      'Node 18 is no longer supported.',
      '`open` returns a promise.',
      'The `sync` option is gone.',
      'Errors have codes.',
      'Files are closed when the process ends.',
    ]);
    expect(lines.join('\n')).not.toContain('Fixed');
  });

  it('a term brings its definition and its default, which are lines below', async () => {
    const { lines } = await ask('What is nestingLimit and its default?', 'manual.md');
    expect(lines[0]).toBe('How deep an object may be nested before the rest of it is left out.');
    expect(lines).toContain('Default: `5`');
  });

  it('a title that alone matches brings its text', async () => {
    const { lines } = await ask('max price for a hotel room', 'manual.md');
    expect(lines[0]).toBe('Up to 140 a night, breakfast included.');
  });

  it('a question in a chat brings the reply of the next speaker, and of no bot', async () => {
    const { lines } = await ask('What happens with the synonyms file?', 'chat.txt');
    expect(lines[0]).toContain('lena: it moves into the repo');
    expect(lines.join('\n')).not.toContain('what happens with');
  });

  it.each(Object.keys(texts) as (keyof typeof texts)[])(
    'a quote occurs in %s word for word, and is never joined from two lines',
    async (file) => {
      const asked = ['What changed in 2.9.4?', 'What is onLimit?', 'What happens when the file is empty?', 'Why?'];
      for (const { citations, lines } of await Promise.all(asked.map((question) => ask(question, file)))) {
        const whole = plain(texts[file]);
        for (const { quote } of citations) expect(whole).toContain(plain(quote ?? ''));
        const quoted = lines.filter(
          (line) => !/^(?:Not found|Not shown|No model)/.test(line) && !line.endsWith('?') && line !== '',
        );
        for (const line of quoted) expect(whole).toContain(line);
      }
    },
  );
});

describe.concurrent('rlm ask without a model calls its number a match', { timeout: 60_000 }, () => {
  const notes = 'The harbour office closes at noon on Saturdays.\nTickets for the ferry are sold on board.\n';
  const run = (question: string, ...args: string[]) =>
    rlm(['ask', question, 'notes.md', '-p', 'extractive', ...args], { cwd: createFolder({ 'notes.md': notes }) });

  it('on the terminal and in JSON', async () => {
    const question = 'When does the harbour office close on Saturdays?';
    expect((await run(question)).stderr).toMatch(/^rlm: answered · match \d+\/100 · /m);
    const { confidence, confidenceKind } = resultOf(await run(question, '--json'));
    expect(confidenceKind).toBe('match');
    expect(confidence).toBeGreaterThan(30);
  });

  it('is low if only some words are shared', async () => {
    const wrong = resultOf(await run('When does the harbour police office open for ferry captains?', '--json'));
    const right = resultOf(await run('When does the harbour office close on Saturdays?', '--json'));
    expect(wrong.confidence ?? 0).toBeLessThan(35);
    expect(wrong.confidence ?? 0).toBeLessThan(right.confidence!);
  });

  it('--min-confidence applies to it', async () => {
    const below = await run('When does the harbour office close on Saturdays?', '--min-confidence', '95');
    expect(below.code).toBe(7);
    expect(below.stderr).toMatch(/match is \d+; at least 95 /);
    expect((await run('When does the harbour office close on Saturdays?', '--min-confidence', '20')).code).toBe(0);
  });

  it('is missing for a phrase that was not found', async () => {
    const run404 = await run('Who painted the ceiling of the chapel?', '--json');
    expect(resultOf(run404)).toMatchObject({ confidence: null, confidenceKind: 'match', citations: [] });
  });
});
