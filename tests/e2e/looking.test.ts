import { describe, expect, it } from 'vitest';
import { createFolder, rlm } from './run-rlm.ts';

const files = { 'logs/a.log': 'one\ntwo pool\nthree\nfour\nfive POOL\n', 'b.md': '# Notes\nNo swimming.\n' };

describe.concurrent('rlm search', () => {
  it('prints every matching line with its place, and context in the format of grep', async () => {
    const cwd = createFolder(files);
    const plain = await rlm(['search', 'pool', '.'], { cwd });
    expect(plain).toMatchObject({ code: 0, stdout: 'logs/a.log:2:two pool\n', stderr: '' });
    const around = await rlm(['search', '-i', '-C', '1', 'pool', 'logs'], { cwd });
    expect(around.stdout).toBe(
      'logs/a.log-1-one\nlogs/a.log:2:two pool\nlogs/a.log-3-three\nlogs/a.log-4-four\nlogs/a.log:5:five POOL\n',
    );
  });

  it('refuses more context than it can show', async () => {
    const { code, stderr } = await rlm(['search', '-C', '21', 'pool', '.'], { cwd: createFolder(files) });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('from 0 to 20') });
    expect((await rlm(['search', '-C', '20', 'pool', '.'], { cwd: createFolder(files) })).code).toBe(0);
  });

  it('says in its help that the lines of a web page are those of its text', async () => {
    for (const command of ['search', 'query'])
      expect((await rlm([command, '--help', '--all'])).stdout.replace(/\s+/g, ' ')).toContain(
        'For web pages, Word documents, notebooks and PDFs, the lines are those of the extracted text.',
      );
  });

  it('searches piped text, and says how many more matched', async () => {
    const { code, stdout, stderr } = await rlm(['search', 'x', '--limit', '1'], { stdin: 'x\nx\nx\n' });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'stdin:1:x\n',
      stderr: expect.stringMatching(/^rlm: 2 more lines .*--limit\n$/),
    });
  });

  it('prints JSON', async () => {
    const { stdout } = await rlm(['search', 'pool', '--json', 'logs'], { cwd: createFolder(files) });
    expect(JSON.parse(stdout)).toMatchObject({
      matches: [{ source: 'logs/a.log', line: 2, startByte: 8, endByte: 12, text: 'two pool' }],
      more: 0,
      isComplete: true,
    });
  });

  it('ends with status 0 and a notice if it finds nothing', async () => {
    const found = await rlm(['search', 'zebra', 'b.md'], { cwd: createFolder(files) });
    expect(found).toMatchObject({ code: 0, stdout: '', stderr: 'rlm: no line matches\n' });
  });

  it.each([
    [['zebra'], 1],
    [['pool'], 0],
    [['pool', '--limit', '0'], 0],
    [['(', '--json'], 2],
  ])('--exit-code: %j ends with %i', async (args, code) => {
    const run = await rlm(['search', ...args, '.', '--exit-code'], { cwd: createFolder(files) });
    expect(run.code).toBe(code);
  });

  it.each([
    ['search', 'pool', '.'],
    ['describe', '.'],
    ['index', 'list'],
    ['cache', 'stats'],
  ])('an unknown variable is named: rlm %s', async (...args) => {
    const run = await rlm(args, { cwd: createFolder(files), env: { RLM_MIN_CONFIDENSE: '1' } });
    const note = /^rlm: note: .*RLM_MIN_CONFIDENSE; .*RLM_MIN_CONFIDENCE\?/m;
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(note) });
  });

  it('does not control the terminal', async () => {
    const { stdout } = await rlm(['search', 'red'], {
      stdin: `${'plain words of text\n'.repeat(20)}\u001b[31mred\u001b[0m\n`,
    });
    expect(stdout).toBe('stdin:21: [31mred [0m\n');
  });

  it.each([
    [['search', '(?=a)', 'b.md'], 'cannot be used', 'not supported are lookaround'],
    [['search', 'a', 'b.md', '--limit', 'x'], '--limit cannot be "x"', 'integer'],
    [['search', 'a'], 'there is no text to search', 'pipe text in'],
    [['describe'], 'there is no text to describe', 'pipe text in'],
    [['search', 'a', 'gone'], 'gone', ''],
  ])('refuses %j', async (args, message, hint) => {
    const refused = await rlm(args, { cwd: createFolder(files) });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(message);
    expect(refused.stderr).toContain(hint);
  });
});

describe.concurrent('rlm describe', () => {
  it('prints the description that a model gets', async () => {
    const { stdout } = await rlm(['describe', '.'], { cwd: createFolder(files) });
    expect(stdout).toContain('- b.md: 2 lines, 21 bytes, Markdown\n- logs/a.log: 5 lines, 34 bytes, log\n');
    expect(stdout).toContain('<beginning of="b.md">\n# Notes\nNo swimming.\n</beginning>\n');
  });

  it('prints JSON, of piped text too', async () => {
    const { stdout } = await rlm(['describe', '--json'], { stdin: 'a\nb\n' });
    expect(JSON.parse(stdout)).toMatchObject({
      documents: 1,
      lines: 2,
      listed: [{ name: 'stdin', firstLines: ['a', 'b'] }],
    });
  });
});
