import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDocx, createNotebook, createPdf, createZip } from '../support/packed-files.ts';
import { warned } from '../support/warned.ts';
import { createFolder, eventsOf, resultOf, rlm, shell } from './run-rlm.ts';

const question = 'How many connections has the pool?';
const sentence = 'The pool has 4 connections.';
const other = 'Nothing else is written here.';

const files = {
  'docs/report.pdf': createPdf([other, sentence]),
  'docs/letter.docx': createDocx(['The letter says that doves are grey.']),
  'docs/page.html':
    '<html><script>alert("doves")</script><body><p>The page says that owls are brown.</p></body></html>',
  'docs/work.ipynb': createNotebook([{ cell_type: 'code', source: 'print("swans are white")' }]),
  'docs/old.log.gz': gzipSync('The log says that crows are black.\n'),
  'docs/all.zip': createZip([
    { name: 'inner/notes.txt', content: 'The notes say that larks are small.\n' },
    { name: 'more.zip', content: createZip([]) },
  ]),
  'docs/table.csv': 'bird,colour\nrobin,red\n',
  'docs/list': `From a@x Tue Mar 17 13:42:26 2026
From: a@x
Content-Transfer-Encoding: base64

${Buffer.from('The mail says that gulls are loud.\n').toString('base64')}
`,
  'bad/corrupt.pdf': '%PDF-1.4 and no more',
  'bad/bomb.zip': createZip([{ name: 'zeros.txt', content: Buffer.alloc(17_000_000, '0') }]),
  'bad/evil.ipynb': `{"cells": [${'{"cells":['.repeat(50_000)}`,
  'bad/cut.gz': gzipSync('x'.repeat(5000)).subarray(0, 30),
  'bad/good.txt': `${sentence}\n`,
};

const ask = (paths: readonly string[], more: readonly string[] = []) => ['ask', question, ...paths, '--json', ...more];

describe.concurrent('files of other formats than text', () => {
  it('are read as text: PDFs by pages, Word, HTML, notebooks, mail, packed files; tables unchanged', async () => {
    const cwd = createFolder(files);
    const run = await rlm(['ask', question, 'docs', '--format', 'ndjson'], { cwd });
    const { events, last } = eventsOf(run);
    expect(run.code).toBe(0);
    expect(events[0]).toMatchObject({ type: 'run.started', documents: 8 });
    expect(last.result.answer).toContain(sentence);
    expect(last.result.citations[0]).toMatchObject({ source: 'docs/report.pdf', startLine: 5, quote: sentence });
    expect(warned(last.result, 'input')).toContain('1 nested archive (docs/all.zip/more.zip: ');
  });

  it.each([
    ['Which colour are doves?', 'docs/letter.docx', 'doves are grey'],
    ['Which colour are owls?', 'docs/page.html', 'owls are brown'],
    ['Which colour are crows?', 'docs/old.log.gz', 'crows are black'],
    ['Which size are larks?', 'docs/all.zip/inner/notes.txt', 'larks are small'],
    ['What do gulls say?', 'docs/list', 'gulls are loud'],
  ])('%s is answered from %s', async (asked, source, said) => {
    const { answer, citations } = resultOf(await rlm(['ask', asked, 'docs', '--json'], { cwd: createFolder(files) }));
    expect(answer).toContain(said);
    expect(citations[0]).toMatchObject({ source });
  });

  it('cites the bytes of a line in a file with a byte order mark', async () => {
    const text = '\uFEFFSome are grey.\nThe page says that owls are brown.\n';
    const cwd = createFolder({ 'owls.txt': text });
    const [first] = resultOf(await rlm(['ask', 'Which colour are owls?', 'owls.txt', '--json'], { cwd })).citations;
    const cited = Buffer.from(text).subarray(first!.startByte, first!.endByte).toString();
    expect(cited).toBe(first!.quote);
  });

  it('are cited by lines of the extracted text, and CI formats use the first line', async () => {
    const cwd = createFolder({
      'page.html':
        '<html><body><h1>Owls</h1><p>Some are grey.</p><p>The page says that owls are brown.</p></body></html>',
      'page.txt': 'The text says that doves are grey.\n',
    });
    const asked = (question: string, ...more: string[]) =>
      rlm(['ask', question, 'page.html', 'page.txt', ...more], { cwd });
    const page = await asked('Which colour are owls?', '--annotations', 'github');
    expect(page.stdout).toMatch(/\[1\] page\.html, text line [2-9] /);
    expect(page.stderr).toContain('::notice file=page.html,line=1,endLine=1,');
    expect(resultOf(await asked('Which colour are owls?', '--json')).citations[0]).toMatchObject({ isExtracted: true });
    const text = await asked('Which colour are doves?', '--annotations', 'github');
    expect(text.stdout).toContain('[1] page.txt:1 ');
    expect(resultOf(await asked('Which colour are doves?', '--json')).citations[0]).not.toHaveProperty('isExtracted');
  });

  it('are cited by lines of the extracted text if only their bytes show the format', async () => {
    const page = `<html><body><h1>Owls</h1><p>Some are grey.</p><p>The page says that owls are brown.</p></body></html>`;
    const cwd = createFolder({ page, 'all.zip': createZip([{ name: 'inner', content: page }]) });
    const at = { cwd, env: { RLM_HOME: createFolder() } };
    const served = createServer((_, response) => response.end(page));
    await new Promise<void>((resolve) => served.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void served.close());
    const address = `http://127.0.0.1:${(served.address() as AddressInfo).port}/owls`;
    await rlm(['index', 'add', 'page', '--name', 'birds'], at);
    const about = ['ask', 'Which colour are owls?', '--json'];
    const runs = [
      await rlm([...about, 'page'], at),
      await rlm([...about, 'all.zip'], at),
      await rlm([...about, address, '--allow-urls'], at),
      await rlm([...about, '--index', 'birds'], at),
      await rlm(about, { ...at, stdin: page }),
      await rlm([...about, '-c'], at),
    ];
    for (const run of runs) expect(resultOf(run).citations[0]).toMatchObject({ isExtracted: true });
  });

  it('are named and skipped if they cannot be read, with the reason', async () => {
    const run = await rlm(ask(['bad']), { cwd: createFolder(files) });
    const result = resultOf(run);
    expect(run.code).toBe(0);
    expect(result.answer).toContain(sentence);
    const said = warned(result, 'input');
    expect(said).toMatch(/3 corrupt \(.*bad\/corrupt\.pdf: .*PDF/);
    expect(said).toMatch(/bad\/cut\.gz: unexpected end of file/);
    expect(said).toMatch(/bad\/evil\.ipynb: not valid JSON/);
    expect(said).toMatch(
      /1 decompression bomb \(bad\/bomb\.zip: .* 200 .*RLM_MAX_UNPACK_RATIO=2000 \(inputs\.maxUnpackRatio\)/,
    );
  });

  it('are read if RLM_MAX_UNPACK_RATIO allows it, even if they unpack to far more than their size', async () => {
    const lines = `${sentence}\n${`${' '.repeat(999)}\n`.repeat(17_000)}`;
    const cwd = createFolder({ 'zeros.log.gz': gzipSync(lines), 'rlm.config.json': '{}' });
    const refused = await rlm(ask(['zeros.log.gz']), { cwd });
    expect(refused.code).toBe(2);
    const [, setting] = /(RLM_MAX_UNPACK_RATIO=\d+)/.exec(refused.stdout)!;
    const [name, value] = setting!.split('=') as [string, string];
    const run = await rlm(ask(['zeros.log.gz']), { cwd, env: { [name]: value } });
    expect(run.code, run.stderr).toBe(0);
    expect(resultOf(run).answer).toContain(sentence);
  });

  it('are read up to their damage, with a note; --strict refuses them', async () => {
    const noise = Array.from({ length: 5000 }, (_, line) => `${line} ${Math.sin(line)}`).join('\n');
    const packed = gzipSync(`${sentence}\n${noise}`);
    const cwd = createFolder({ 'cut.log.gz': packed.subarray(0, packed.length / 2) });
    const run = await rlm(ask(['cut.log.gz']), { cwd });
    const result = resultOf(run);
    expect(run.code, run.stderr).toBe(0);
    expect(result.answer).toContain(sentence);
    expect(warned(result, 'input')).toMatch(/1 corrupt \(cut\.log\.gz: .*the \d+ bytes before the damage were read\)/);
    expect((await rlm(ask(['cut.log.gz'], ['--strict']), { cwd })).code).toBe(2);
  });

  it.each([
    ['--strict', ['--strict'], {}],
    ['RLM_STRICT', [], { RLM_STRICT: '1' }],
  ])('are an error with %s', async (_, flags, env) => {
    const cwd = createFolder(files);
    const run = await rlm(ask(['bad/good.txt', 'bad/corrupt.pdf'], flags), { cwd, env });
    expect(run.code).toBe(2);
    expect(resultOf(run)).toMatchObject({
      answer: null,
      error: { code: 'input-unreadable', message: expect.stringContaining('bad/corrupt.pdf') },
    });
    expect((await rlm(ask(['bad/good.txt'], flags), { cwd, env })).code).toBe(0);
  });

  it('are no error with --strict if they are ignored', async () => {
    const cwd = createFolder({ ...files, 'bad/.rlmignore': '*.pdf\n*.gz\n*.zip\n*.ipynb\n' });
    expect((await rlm(ask(['bad'], ['--strict']), { cwd })).code).toBe(0);
  });

  it('are an error with a reason if no other file is named and they have no text', async () => {
    const cwd = createFolder({ 'scan.pdf': createPdf(['']) });
    const run = await rlm(ask(['scan.pdf']), { cwd });
    expect(run.code).toBe(2);
    expect(resultOf(run).error).toMatchObject({
      code: 'input-empty',
      message: expect.stringContaining('no text layer'),
    });
  });

  it.each([
    ['a PDF', files['docs/report.pdf'], 'stdin'],
    ['a Word document', createDocx([sentence]), 'stdin'],
    ['gzip', gzipSync(sentence), 'stdin'],
    ['a zip file', createZip([{ name: 'a.txt', content: sentence }]), 'stdin/a.txt'],
  ])('may be piped in: %s', async (_, stdin, source) => {
    const { answer, citations } = resultOf(await rlm(ask([]), { stdin }));
    expect(answer).toContain(sentence);
    expect(citations[0]).toMatchObject({ source });
  });

  it('may be read through a named pipe', async () => {
    const cwd = createFolder(files);
    const run = await shell(`mkfifo p && (cat docs/report.pdf > p &) ; rlm ask '${question}' p --json`, { cwd });
    expect(resultOf(run).citations[0]).toMatchObject({ source: 'p', startLine: 5 });
  });

  it('are stored as text if they were piped in, so that a resumed run has the same', async () => {
    const stdin = createZip([{ name: 'a.html', content: `<p>&lt;b&gt; ${sentence}</p>` }]);
    const home = createFolder();
    const env = { RLM_HOME: home };
    const first = resultOf(await rlm(ask([]), { stdin, env }));
    const [runId = ''] = readdirSync(join(home, 'runs'));
    const again = resultOf(await rlm(['resume', runId, '--json'], { env }));
    expect(again.error).toBeNull();
    expect(again.citations).toEqual(first.citations);
    expect(first.citations[0]).toMatchObject({ source: 'stdin/a.html', quote: `<b> ${sentence}` });
  });
});

describe.concurrent('addresses among the paths', () => {
  async function serve(): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(`<!doctype html><html><body><p>${sentence}</p></body></html>`);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notes?key=t0ps`, asked };
  }

  it('are read when the user allows it', async () => {
    const { url } = await serve();
    const run = await rlm(ask([url], ['--allow-urls']));
    expect(run.code).toBe(0);
    expect(resultOf(run).citations[0]).toMatchObject({ source: url.replace('key=t0ps', '…'), quote: sentence });
    expect(run.stdout + run.stderr).not.toContain('t0ps');
  });

  it('are not requested otherwise, and no project file can allow it', async () => {
    const { url, asked } = await serve();
    const plain = await rlm(ask([url]));
    expect(plain.code).toBe(2);
    expect(resultOf(plain).error).toMatchObject({ code: 'usage', hint: expect.stringContaining('--allow-urls') });
    const cwd = createFolder({ 'rlm.config.json': '{ "inputs": { "allowUrls": true } }' });
    const project = await rlm(ask([url]), { cwd });
    expect(project.code).toBe(3);
    expect(resultOf(project).error!.message).toContain('inputs.allowUrls');
    expect(asked).toEqual([]);
  });
});
