import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openContext } from '../../src/index.ts';
import { startAnthropicServer } from '../servers/anthropic-server.ts';
import { said } from '../servers/anthropic-wire.ts';
import { type ChatCall, faults, type ServerReply } from '../servers/ollama-server.ts';
import { startOpenAiServer } from '../servers/openai-server.ts';
import { createPdf, createScannedPdf } from '../support/packed-files.ts';
import { warned } from '../support/warned.ts';
import { connect } from './mcp-client.ts';
import { answer, startServer } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm } from './run-rlm.ts';

/** Pages that were rendered from text, rotated by 2° and covered with random dots, with their text. */
const scans = {
  'invoice.png': 'INVOICE 4711\nHarbour Works Ltd\n12 pumps at 315.40 each\nTotal due: 3,784.80 EUR by 14 March 2024',
  'laboratory.jpg': 'LABORATORY SHEET 88\nSample B7: lead 0.021 mg/l, nitrate 31 mg/l.',
  'lease.tiff': 'LEASE\nThe tenant pays 1,120 a month. Notice is four months, in writing.',
  'letter.jpg': 'LETTER of 2 October 1931\nWe reached the hut at Vallone after nine hours in the snow.',
  'minutes.jpg': 'MEETING OF THE BOARD, 9 May 2023\nThe bridge fund was raised from 40,000 to 65,000.',
  'notice.jpg': 'NOTICE\nThe lift is out of service from 3 to 7 June. Use the stairs in wing C.',
  'receipt.jpg': 'RECEIPT 30992\nTaxi, airport to hotel, 46.50, driver 118.',
  'timetable.png': 'TIMETABLE\nThe last ferry to Norderoog leaves at 21:35, on Sundays at 20:05.',
  'weather.webp': 'WEATHER STATION GRUENAU\nLowest temperature in January: -17.3 degrees, on the 22nd.',
  'will.jpg': 'WILL of Henrietta Vance\nThe grandfather clock goes to my niece Clara.',
} as const;
type ScanName = keyof typeof scans;
const names = Object.keys(scans) as ScanName[];

const readScan = (name: ScanName): Buffer => readFileSync(new URL(`./scans/${name}`, import.meta.url));
const folderOf = (...wanted: readonly ScanName[]) =>
  Object.fromEntries(wanted.map((name): [string, Buffer] => [name, readScan(name)]));
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const byHash = new Map<string, string>(names.map((name) => [hashOf(readScan(name)), scans[name]]));

const sizeOf = (png: Buffer) => `${png.readUInt32BE(16)} × ${png.readUInt32BE(20)}`;
/** Rendered pages by size: the only TIFF file, and pages of a scanned PDF. */
const bySize = new Map<string, string>([
  ['620 × 420', scans['lease.tiff']],
  ['1568 × 1306', scans['letter.jpg']],
  ['1344 × 1568', scans['will.jpg']],
]);

/** Returns the text of a picture, as a vision model would transcribe it. */
function transcriptOf(picture: Buffer): string {
  const text = byHash.get(hashOf(picture)) ?? bySize.get(sizeOf(picture));
  if (text === undefined) throw new Error(`nobody has shown this picture: ${sizeOf(picture)}`);
  return text;
}

const picturesIn = (call: ChatCall): Buffer[] =>
  call.messages.flatMap(({ images = [] }) => (images as string[]).map((data) => Buffer.from(data, 'base64')));

const seer = { models: [{ name: 'seer:7b', capabilities: ['completion', 'vision'] }, 'blind:7b'] };

/** Starts an Ollama server with a vision model and another model. Nothing is cached from other tests. */
async function startSeer(transcribe?: (call: ChatCall, index: number) => ServerReply) {
  const handlers = {
    transcribe: transcribe ?? ((call: ChatCall) => transcriptOf(picturesIn(call)[0]!)),
    answer: answer('It goes to Clara [P1].', 'P1', 'grandfather clock goes to my niece Clara'),
  };
  const server = await startServer(handlers, seer);
  const cache = createFolder();
  const env = { ...server.env, RLM_MODEL: 'seer:7b', RLM_PLANNER: 'auto', RLM_CRITIC: 'never', XDG_CACHE_HOME: cache };
  return { server, env, shown: () => server.requests.flatMap(picturesIn) };
}

const servers: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** A longer limit, because reading PDFs takes seconds on a busy machine. */
const slow = { timeout: 120_000 };

const question = 'Who gets the clock?';
const ask = (...more: readonly string[]) => ['ask', question, ...more];

describe.concurrent('ten scans', () => {
  it('are read once each by a vision model, and cited', slow, async () => {
    const { env, shown, server } = await startSeer();
    const cwd = createFolder(folderOf(...names));
    const first = await rlm(ask(...names, '--format', 'ndjson'), { cwd, env });
    expect(first.code).toBe(0);
    const { events, last } = eventsOf(first);
    expect(events[0]).toMatchObject({ type: 'run.started', documents: 10 });
    expect(last.result.warnings).toEqual([]);
    // All pictures except the TIFF are sent unchanged.
    expect(
      shown()
        .map(hashOf)
        .filter((hash) => byHash.has(hash)),
    ).toHaveLength(9);
    const prompt = server.requests
      .at(-1)!
      .messages.map(({ content }) => content)
      .join();
    for (const text of Object.values(scans)) expect(prompt).toContain(text);
    const second = await rlm(ask(...names, '--json'), { cwd, env });
    expect(resultOf(second).citations[0]).toMatchObject({ source: 'will.jpg', startLine: 2 });
    expect(resultOf(second).usage).toMatchObject({ calls: 1, cacheHits: 10 });
    expect(shown()).toHaveLength(10);
  });

  it('are read with at most half of the calls; the answer is partial and says how to continue', slow, async () => {
    const { env, shown } = await startSeer();
    const cwd = createFolder(folderOf(...names));
    const run = await rlm(ask(...names, '--json', '--max-calls', '8'), { cwd, env });
    expect(run.code).toBe(6);
    expect(resultOf(run)).toMatchObject({ status: 'partial', stopReason: 'limit-calls' });
    expect(resultOf(run).error?.hint).toContain('--max-calls 30');
    expect(shown()).toHaveLength(4);
  });

  it('all count as read if they are equal', slow, async () => {
    const { env } = await startSeer();
    const clock = readScan('will.jpg');
    const cwd = createFolder({
      'a.jpg': clock,
      'b.jpg': clock,
      ...folderOf('letter.jpg', 'notice.jpg', 'receipt.jpg'),
    });
    const given = ['a.jpg', 'b.jpg', 'letter.jpg', 'notice.jpg', 'receipt.jpg'];
    const run = await rlm(ask(...given, '--json', '--max-calls', '6'), { cwd, env });
    expect(resultOf(run).error?.message).toContain('2 of 5 pages without text were not read');
  });

  it('are counted and priced before, and no model is asked', async () => {
    const { env, server } = await startSeer();
    const cwd = createFolder({
      ...folderOf('will.jpg'),
      'report.pdf': createScannedPdf([readScan('letter.jpg')], [620, 420]),
    });
    const run = await rlm(ask('will.jpg', 'report.pdf', '--dry-run', '--json'), { cwd, env });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout).pictures).toMatchObject({
      ...{ pages: 2, allowed: 2, provider: 'ollama', model: 'seer:7b', most: { usd: 0 } },
    });
    expect((await rlm(ask('will.jpg', '--dry-run'), { cwd, env })).stdout).toMatch(/Pictures: 1 page .*seer:7b/);
    expect(server.requests).toEqual([]);
  });
});

describe.concurrent('a PDF', () => {
  const clock = 'The grandfather clock goes to my niece Clara.';

  it('has only the pages read that are without text and not blank, and is cited by page', slow, async () => {
    const { env, shown } = await startSeer();
    const scanned = createScannedPdf([readScan('letter.jpg'), Buffer.alloc(0), readScan('will.jpg')], [620, 420]);
    const cwd = createFolder({ 'estate.pdf': scanned, 'text.pdf': createPdf([clock]) });
    const run = await rlm(ask('estate.pdf', '--json'), { cwd, env });
    expect(resultOf(run).citations[0]).toMatchObject({
      source: 'estate.pdf',
      page: 3,
      quote: expect.stringContaining('Clara'),
    });
    expect(shown().map(sizeOf)).toEqual(['1568 × 1306', '1344 × 1568']);
    const text = await rlm(ask('estate.pdf'), { cwd, env });
    expect(text.stdout).toContain('[1] estate.pdf, page 3');
    const report = await rlm(ask('text.pdf', '--format', 'markdown'), { cwd, env });
    expect(report.stdout).toContain('text.pdf, page 1');
    expect(shown()).toHaveLength(2);
  });

  it('of 10,000 empty pages asks nothing, and takes no longer than a file may take', slow, async () => {
    const { env, server } = await startSeer();
    const settings = JSON.stringify({ inputs: { readTimeout: 2 } });
    const cwd = createFolder({ 'empty.pdf': createPdf(Array(10_000).fill('')), 'rlm.config.json': settings });
    const run = await rlm(ask('empty.pdf', '--json'), { cwd, env });
    expect(run.code).toBe(2);
    expect(resultOf(run).error).toMatchObject({ code: 'input-empty' });
    expect(server.requests).toEqual([]);
  });
});

describe.concurrent('the model that reads pictures', () => {
  const cwdOf = () => createFolder({ ...folderOf('will.jpg'), 'notes.txt': 'The barn was sold.\n' });

  it('may be another one, which gets nothing else; the recording replays both', async () => {
    const { env, server } = await startSeer();
    const cwd = cwdOf();
    const blind = { ...env, RLM_MODEL: 'blind:7b' };
    const run = await rlm(ask('will.jpg', '--vision-model', 'seer:7b', '--json', '--record', 'run.json'), {
      cwd,
      env: blind,
    });
    expect(run.code).toBe(0);
    const asked = server.requests.map((call) => [call.model, picturesIn(call).length]);
    expect(asked).toEqual([
      ['seer:7b', 1],
      ['blind:7b', 0],
    ]);
    const { OLLAMA_HOST: _, ...away } = blind;
    const again = await rlm(ask('will.jpg', '--json', '--replay', 'run.json'), {
      cwd,
      env: { ...away, RLM_PROVIDER: 'auto' },
    });
    expect(resultOf(again).answer).toBe(resultOf(run).answer);
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['there is none', 'blind:7b', []],
    ['it is off', 'seer:7b', ['--vision-model', 'off']],
  ])('is unavailable if %s: other text is read', async (_, model, more) => {
    const { env, shown } = await startSeer();
    const run = await rlm(ask('will.jpg', 'notes.txt', '--json', ...more), {
      cwd: cwdOf(),
      env: { ...env, RLM_MODEL: model },
    });
    expect(run.code).toBe(0);
    const told = warned(resultOf(run), 'input');
    expect(told).toContain('will.jpg');
    expect(told.includes('--vision-model')).toBe(more.length === 0);
    expect(shown()).toEqual([]);
  });

  it('is an error if it is named and reads none, or if a project file names it', async () => {
    const { env, server } = await startSeer();
    const cwd = cwdOf();
    const blind = await rlm(ask('will.jpg', '--json', '--vision-model', 'blind:7b'), { cwd, env });
    expect([blind.code, resultOf(blind).error?.code]).toEqual([3, 'config-invalid']);
    const planted = createFolder({ ...folderOf('will.jpg'), 'rlm.config.json': '{"visionModel": "seer:7b"}' });
    const refused = await rlm(ask('will.jpg', '--json'), { cwd: planted, env: { ...env, RLM_MODEL: 'blind:7b' } });
    expect([refused.code, resultOf(refused).error?.code]).toEqual([3, 'config-invalid']);
    expect(server.requests).toEqual([]);
  });

  it('is an error if a flag names a missing one, even for text without pictures', async () => {
    const { env, server } = await startSeer();
    const cwd = cwdOf();
    const missing = await rlm(ask('notes.txt', '--json', '--vision-model', 'foo:bar'), { cwd, env });
    expect([missing.code, resultOf(missing).error]).toEqual([
      4,
      expect.objectContaining({ code: 'model-missing', message: expect.stringContaining('(--vision-model)') }),
    ]);
    expect(server.requests).toEqual([]);
    const set = await rlm(ask('notes.txt', '--json'), { cwd, env: { ...env, RLM_VISION_MODEL: 'foo:bar' } });
    expect(set.code).toBe(0);
  });

  it('stores no secret of a picture, on disk or in the answer', async () => {
    const secret = 'sk-test-51f0c2a9d1e84b7f';
    const { env } = await startSeer(() => `WILL\nThe key is ${secret}.`);
    const state = createFolder();
    const run = await rlm(ask('will.jpg', '--json'), {
      cwd: cwdOf(),
      env: { ...env, OPENAI_API_KEY: secret, XDG_STATE_HOME: state },
    });
    const files = [env.XDG_CACHE_HOME, state].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')),
    );
    expect(files.length).toBeGreaterThan(2);
    expect([run.stdout, run.stderr, ...files].filter((text) => text.includes(secret))).toEqual([]);
  });
});

describe.concurrent('failures', () => {
  const two = () => createFolder({ ...folderOf('invoice.png', 'will.jpg'), 'notes.txt': 'The barn was sold.\n' });
  const both = ask('invoice.png', 'will.jpg', 'notes.txt', '--json');

  it.each<[string, (call: ChatCall) => ServerReply, number]>([
    ['an empty reply', () => '', 4],
    ['an error of the server', () => faults.status(400, { error: 'failed to process the image' }), 2],
    ['a server that takes no pictures', () => faults.status(400, { error: 'this model does not support images' }), 1],
  ])('%s: the page is left out with a warning, and the rest is answered', async (_, reply, requests) => {
    const { env, server } = await startSeer(reply);
    const run = await rlm(both, { cwd: two(), env });
    expect(run.code).toBe(0);
    expect(warned(resultOf(run), 'unread')).toContain("'invoice.png'");
    expect(server.requests.filter((call) => picturesIn(call).length > 0)).toHaveLength(requests);
  });

  it('a cut reply is used as far as it goes, and not stored', async () => {
    const { env, shown } = await startSeer(() => faults.lengthLimit('WILL of Henrietta Vance'));
    const cwd = two();
    const run = await rlm(ask('will.jpg', '--json'), { cwd, env });
    expect(warned(resultOf(run), 'unread')).toContain('cut off');
    await rlm(ask('will.jpg', '--json'), { cwd, env });
    // Each time, a complete transcript is requested once more.
    expect(shown()).toHaveLength(4);
  });

  it('an answer that fails: the resumed run reads no picture again, and reads the piped text again', async () => {
    let isDown = true;
    const { env, shown, server } = await startSeer();
    const state = createFolder();
    const cwd = two();
    const broken = await startServer(
      {
        transcribe: (call) => transcriptOf(picturesIn(call as ChatCall)[0]!),
        answer: () => (isDown ? faults.status(400) : answer('Clara [P1].')),
      },
      seer,
    );
    const failing = { ...env, XDG_STATE_HOME: state, OLLAMA_HOST: broken.env.OLLAMA_HOST };
    const run = await rlm(ask('will.jpg', '-', '--json'), { cwd, env: failing, stdin: 'The barn was sold.\n' });
    expect(run.code).toBe(5);
    isDown = false;
    rmSync(env.XDG_CACHE_HOME, { recursive: true, force: true });
    const again = await rlm(['resume', resultOf(run).runId!, '--json'], { cwd, env: failing });
    expect(again.code, again.stdout).toBe(0);
    expect(broken.requests.flatMap(picturesIn)).toHaveLength(1);
    expect([shown(), server.requests]).toEqual([[], []]);
  });

  const png = (width: number, height: number) => {
    const head = Buffer.alloc(60);
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(head);
    head.writeUInt32BE(width, 16);
    head.writeUInt32BE(height, 20);
    head.write('IEND', 50);
    return head;
  };

  // The size is only declared. The pixels must not be unpacked.
  const bomb = createScannedPdf([readScan('will.jpg')], [30_000, 30_000]);

  it.each<[string, Buffer | string, string]>([
    ['bomb.pdf', bomb, 'decompression bomb'],
    ['bomb.png', png(30_000, 30_000), 'decompression bomb'],
    ['cut.jpg', readScan('will.jpg').subarray(0, 6_000), 'corrupt'],
    ['noise.tiff', Buffer.concat([Buffer.from('II*\0'), Buffer.alloc(3_000, '\x9f\x03')]), 'corrupt'],
  ])('%s is not sent', async (name, content, reason) => {
    const { env, server } = await startSeer();
    const run = await rlm(ask(name, '--json'), { cwd: createFolder({ [name]: content }), env });
    expect(run.code).toBe(2);
    expect(resultOf(run).error?.message).toContain(`1 ${reason} (${name}: `);
    expect(server.requests).toEqual([]);
  });

  it('a text named .png is read as text, a picture named .txt as a picture, and one in a folder is not read', async () => {
    const { env, shown } = await startSeer();
    const cwd = createFolder({
      'text.png': 'The barn was sold.\n',
      'picture.txt': readScan('will.jpg'),
      'in/will.jpg': readScan('will.jpg'),
    });
    const run = await rlm(ask('text.png', 'picture.txt', 'in', '--json'), { cwd, env });
    expect(warned(resultOf(run), 'input')).toMatch(/1 picture \(in\/will\.jpg: .*--vision-model/);
    expect(shown()).toHaveLength(1);
    await rlm(ask('in/*.jpg', '--json'), {
      cwd,
      env: { ...env, RLM_CACHE_ENABLED: 'false', XDG_CACHE_HOME: createFolder() },
    });
    expect(shown()).toHaveLength(2);
  });
});

/** Matches the warning that pages are not read, with the way to read them. */
const note = (pages: string) => expect.stringMatching(new RegExp(`${pages} no text; .*rlm ask .*--vision-model`));
const barn = 'The barn was sold in spring.';

/** Creates a PDF that has a page without text, and two pictures, one of them in a folder. */
function setUpMixed() {
  const cwd = createFolder({
    'mixed.pdf': createPdf([barn, '']),
    'will.jpg': readScan('will.jpg'),
    'in/letter.jpg': readScan('letter.jpg'),
    'in/notes.txt': `${barn}\n`,
  });
  const env = { RLM_PROVIDER: 'extractive', RLM_HOME: createFolder() };
  return { cwd, env, run: (...args: string[]) => rlm(args, { cwd, env }) };
}

describe.concurrent('commands that read only text', () => {
  const files = ['mixed.pdf', 'will.jpg', 'in'] as const;

  it.each([
    ['search', ['search', 'barn', ...files]],
    ['describe', ['describe', ...files]],
    ['query', ['query', 'select * from lines', ...files]],
    ['index add', ['index', 'add', ...files, '--name', 'all']],
  ])('rlm %s states how many pages it leaves out, unless reading them is off', slow, async (_, args) => {
    const { cwd, env, run } = setUpMixed();
    const told = await run(...args);
    expect([told.code, told.stderr]).toEqual([0, note('2 pages have')]);
    const off = { ...env, RLM_HOME: createFolder(), RLM_VISION_MODEL: 'off' };
    expect((await rlm([...args], { cwd, env: off })).stderr).not.toContain('vision');
  });

  it('an index of only pictures says how they are read, and an index reports a new picture', slow, async () => {
    const { cwd, run } = setUpMixed();
    const none = await run('index', 'add', 'will.jpg', '--name', 'all');
    expect([none.code, none.stderr]).toEqual([2, note('1 page has')]);
    const added = await run('index', 'add', 'in', '--name', 'all');
    expect(added.stderr).toContain('1 picture (in/letter.jpg)');
    await run('index', 'add', 'w*.jpg', '--name', 'all');
    writeFileSync(join(cwd, 'water.jpg'), readScan('letter.jpg'));
    const updated = await run('index', 'update', '--all', '--json');
    expect(JSON.parse(updated.stdout).warnings).toEqual([note('2 pages have')]);
  });

  it('a context of the library has a warning, even for a picture in a folder', slow, async () => {
    const { cwd, env } = setUpMixed();
    const context = await openContext({ paths: [...files], cwd, env });
    expect(context.warnings).toContainEqual(note('2 pages have'));
    await context.close();
    const folder = await openContext({ paths: ['in'], cwd, env });
    expect(folder.warnings).toEqual([expect.stringMatching(/1 picture \(in\/letter\.jpg: .*--vision-model/)]);
    await folder.close();
  });
});

describe.concurrent('several questions', () => {
  const files = { 'will.jpg': readScan('will.jpg'), 'notes.txt': `${barn}\n` };

  it.each([
    ['a picture alone', ['will.jpg']],
    ['a picture and text', ['will.jpg', 'notes.txt']],
  ])('in a chat have %s read once', slow, async (_, paths) => {
    const { env, shown, server } = await startSeer();
    const stdin = `${question}\nAnd who else?\n`;
    const chat = await rlm(['chat', ...paths], { cwd: createFolder(files), env, stdin });
    expect(chat.code).toBe(0);
    expect(chat.stdout.match(/\[1\] will\.jpg, text line 2/g)).toHaveLength(2);
    expect(shown()).toHaveLength(1);
    expect(JSON.stringify(server.requests.at(-1))).toContain('goes to my niece Clara');
  });

  it('in a chat are answered from other text without a vision model', slow, async () => {
    const { env, shown } = await startSeer();
    const cwd = createFolder({ ...files, 'mixed.pdf': createPdf([barn, '']) });
    const blind = { ...env, RLM_MODEL: 'blind:7b' };
    const chat = await rlm(['chat', ...Object.keys(files), 'mixed.pdf'], { cwd, env: blind, stdin: 'Why?\nWhen?\n' });
    expect(chat.stderr).toMatch(/no text; .*--vision-model/);
    expect(shown()).toEqual([]);
    const none = await rlm(['chat', 'will.jpg'], { cwd, env: blind, stdin: 'Why?\n' });
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/no text; .*--vision-model/)]);
  });

  it('in checks have a picture read once', slow, async () => {
    const { env, shown } = await startSeer();
    const checks = [question, 'Who gets the old clock?'].map((one) => ({ question: one, cites: 'will.jpg' }));
    const cwd = createFolder({ ...files, 'checks.json': JSON.stringify({ paths: Object.keys(files), checks }) });
    const run = await rlm(['checks', 'checks.json', '--json'], { cwd, env });
    expect([run.code, JSON.parse(run.stdout).passed]).toEqual([0, 2]);
    expect(shown()).toHaveLength(1);
  });

  it('by --continue keep the vision model', slow, async () => {
    const { env, shown } = await startSeer();
    const cwd = createFolder(files);
    const blind = { ...env, RLM_MODEL: 'blind:7b', XDG_STATE_HOME: createFolder() };
    await rlm(ask('will.jpg', '--json', '--vision-model', 'seer:7b'), { cwd, env: blind });
    const next = await rlm(['ask', '--continue', 'And who else?', '--json'], { cwd, env: blind });
    expect(resultOf(next).citations[0]).toMatchObject({ source: 'will.jpg' });
    expect(shown()).toHaveLength(1);
  });
});

describe('the MCP server', () => {
  it('reports the pages that its tools leave out', slow, async () => {
    const { cwd, env } = setUpMixed();
    const { call } = await connect({ args: ['.'], cwd, env });
    const loaded = await call('rlm_load_context', { name: 'all', path: '.' });
    expect(loaded.data.warnings).toContainEqual(note('1 page has'));
    const found = await call('rlm_search', { pattern: 'barn', paths: ['mixed.pdf', 'will.jpg'] });
    expect([found.data.warnings, found.text]).toEqual([
      expect.arrayContaining([note('2 pages have')]),
      note('2 pages have'),
    ]);
    const queried = await call('rlm_query', { sql: 'select * from lines', context: 'all' });
    expect(queried.data.notes).toContainEqual(note('1 page has'));
    expect((await call('rlm_query', { context: 'all' })).text).toEqual(note('1 page has'));
    const asked = await call('rlm_ask', { question: 'What was sold?', context: 'all' });
    expect(asked.data.warnings).toContainEqual(note('1 page has'));
  });

  it('reads pictures that the paths of a question name, and none in its folders', slow, async () => {
    const { cwd } = setUpMixed();
    const { env, shown } = await startSeer();
    const { call } = await connect({ args: ['.'], cwd, env: { ...env, RLM_HOME: createFolder() } });
    await call('rlm_ask', { question, paths: ['in'] });
    expect(shown()).toEqual([]);
    const { data } = await call('rlm_ask', { question, paths: ['will.jpg'] });
    expect(data.citations[0]).toMatchObject({ source: 'will.jpg' });
    expect(shown()).toHaveLength(1);
  });
});

describe.concurrent('hosted models', () => {
  const cwdOf = () => createFolder(folderOf('will.jpg'));
  const cacheOf = () => ({ XDG_CACHE_HOME: createFolder(), RLM_PLANNER: 'auto', RLM_CRITIC: 'never' });

  it("get a picture in OpenAI's form; one that reports vision need not be named", async () => {
    const server = await startOpenAiServer({
      models: [{ id: 'seer', architecture: { input_modalities: ['text', 'image'] } }],
      chat: ({ messages }) => {
        const parts = messages.at(-1)!.content as unknown;
        if (!Array.isArray(parts)) return 'It goes to Clara [P1].';
        const [words, picture] = parts;
        expect(words.type).toBe('text');
        const [type, data] = picture.image_url.url.split(';base64,');
        expect(type).toBe('data:image/jpeg');
        return transcriptOf(Buffer.from(data, 'base64'));
      },
    });
    servers.push(server);
    const env = { ...cacheOf(), RLM_OPENAI_BASE_URL: server.url };
    const run = await rlm(ask('will.jpg', '--json', '-p', 'openai', '-m', 'seer'), { cwd: cwdOf(), env });
    expect(resultOf(run).error).toBe(null);
    expect(resultOf(run).citations[0]).toMatchObject({ source: 'will.jpg' });
  });

  it('get a rendered page if their window is unknown; a known one may be too small for it', slow, async () => {
    const server = await startOpenAiServer({
      models: ['seer'],
      chat: ({ messages }) => {
        const parts = messages.at(-1)!.content as unknown;
        if (!Array.isArray(parts)) return 'It goes to Clara [P1].';
        return transcriptOf(Buffer.from(parts[1].image_url.url.split(';base64,')[1], 'base64'));
      },
    });
    servers.push(server);
    const cwd = createFolder({ 'estate.pdf': createScannedPdf([readScan('will.jpg')], [620, 420]) });
    const env = { ...cacheOf(), RLM_OPENAI_BASE_URL: server.url };
    const named = ask('estate.pdf', '--json', '-p', 'openai', '-m', 'seer', '--vision-model', 'seer');
    const run = await rlm(named, { cwd, env });
    expect(resultOf(run).citations[0]).toMatchObject({ source: 'estate.pdf' });
    const known = { ...env, ...cacheOf(), RLM_OPENAI_WINDOW_TOKENS: '4096' };
    const { error } = resultOf(await rlm(named, { cwd, env: known }));
    expect(error).toMatchObject({ code: 'prompt-too-long', hint: expect.stringContaining('--vision-model') });
  });

  it("get a picture in Anthropic's form, and refusals are reported", async () => {
    let isRefusing = false;
    const server = await startAnthropicServer({
      reply: ({ body }) => {
        const { content } = (
          body['messages'] as { content: { type: string; source?: { media_type: string; data: string } }[] }[]
        )[0]!;
        const picture = content.find(({ type }) => type === 'image');
        if (picture === undefined) return 'It goes to Clara [P1].';
        if (isRefusing) return said([{ type: 'text', text: '' }], { stopReason: 'refusal' });
        expect(picture.source!.media_type).toBe('image/jpeg');
        return transcriptOf(Buffer.from(picture.source!.data, 'base64'));
      },
    });
    servers.push(server);
    const env = { ...cacheOf(), RLM_ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-test' };
    const named = ask('will.jpg', '--json', '-p', 'anthropic', '--vision-model', 'anthropic/claude-sonnet-5-5');
    const dry = await rlm([...named, '--dry-run'], { cwd: cwdOf(), env });
    expect(JSON.parse(dry.stdout).pictures.most.usd).toBeGreaterThan(0);
    const run = await rlm(named, { cwd: cwdOf(), env });
    expect(resultOf(run).citations[0]).toMatchObject({ source: 'will.jpg' });
    isRefusing = true;
    const refused = await rlm(named, { cwd: cwdOf(), env: { ...env, XDG_CACHE_HOME: createFolder() } });
    expect([refused.code, resultOf(refused).answer]).toEqual([5, null]);
  });
});
