import { describe, expect, it } from 'vitest';
import { createToolWorld } from './tool-world.ts';

describe('search_context', () => {
  it('shows lines with their place and passage, those with most of the words first', async () => {
    const { tell, shown, store } = createToolWorld();
    const result = await tell('search_context', { words: 'pool limit' });
    expect(result.split('\n')).toEqual([
      'Matching lines in text: 4, those with most of the words first:',
      expect.stringMatching(/^\[P\d+\] notes\.md:41: The pool limit is 20\.$/),
      expect.stringMatching(/^\[P\d+\] src\/pool\.ts:1: export const poolLimit/),
      expect.stringMatching(/notes\.md:82: A limit of time is 5 s\.$/),
      expect.stringMatching(/src\/time\.ts:1: export const timeLimit = 5;$/),
    ]);
    const ids = [...result.matchAll(/\[(P\d+)\]/g)].map((match) => match[1]);
    expect(shown).toEqual(ids);
    const first = store.plainPassage(store.chunk(store.indexOf(ids[0]!)));
    expect(first.startLine <= 41 && first.endLine >= 41).toBe(true);
  });

  it('takes a pattern, and shows lines around', async () => {
    const { tell } = createToolWorld();
    const result = await tell('search_context', { pattern: 'limit is \\d+', contextLines: 1 });
    expect(result).toMatch(
      /notes\.md:40- notes line 40\n\[P\d+\] notes\.md:41: The pool limit is 20\.\n +notes\.md:42- rest line 1$/,
    );
    expect(await tell('search_context', { pattern: 'THE POOL', caseSensitive: true })).toBe(
      'No line of text matches "THE POOL".',
    );
  });

  it('names the passage in which a document ends for a match of nothing but its end', async () => {
    const { tell, store } = createToolWorld();
    const [, id] = /\[(P\d+)\] notes\.md:82: /.exec(await tell('search_context', { pattern: '$', skip: 81 }))!;
    expect(store.plainPassage(store.chunk(store.indexOf(id!)))).toMatchObject({ source: 'notes.md', endLine: 82 });
  });

  it('says how many more there are, and shows them when asked', async () => {
    const { tell } = createToolWorld({ lines: 6 });
    const first = await tell('search_context', { pattern: 'line' });
    expect(first).toMatch(/^Matching lines in text: 100:[\s\S]*notes line 1\n[\s\S]*\n… 9\d more: .*"skip": (\d+)$/);
    const skip = Number(/"skip": (\d+)/.exec(first)![1]);
    const next = await tell('search_context', { pattern: 'line', skip });
    expect(next).toContain(`notes line ${skip + 1}\n`);
    expect(next).not.toContain(`notes line ${skip}\n`);
    expect(next).toMatch(/^Matching lines in text: 100:/);
    expect(await tell('search_context', { pattern: 'line', skip: 98 })).toMatch(
      /^Matching lines in text: 100:\n.*\n.*$/,
    );
    expect(await tell('search_context', { pattern: 'line', skip: 500 })).toBe(
      'Matching lines in text: 100, all of them before "skip": 500.',
    );
  });

  it.each([
    ['no words', {}, /give "words" or a "pattern"/],
    ['a wrong pattern', { pattern: '(a' }, /missing closing \)/],
    [
      'a context that is not there',
      { words: 'x', context: 'tex' },
      /no context "tex"; did you mean "text"\? There is only text\./,
    ],
    ['a chunk that is not there', { words: 'x', context: 'text#99' }, /text has chunks 1 to \d, and no 99/],
  ])('with %s is a wrong call that says why', async (_, given, said) => {
    const { call } = createToolWorld();
    expect(await call('search_context', given)).toMatchObject({
      outcome: 'wrong',
      result: expect.stringMatching(said),
    });
  });

  it('cannot be kept busy by a pattern', async () => {
    const { call } = createToolWorld();
    expect(await call('search_context', { pattern: '^(n+o*)+$' })).toMatchObject({ outcome: 'done' });
  });
});

describe('peek_context', () => {
  it('shows the lines that are asked for, in their passages', async () => {
    const { tell } = createToolWorld();
    const result = await tell('peek_context', { source: 'notes.md', startLine: 39, endLine: 43 });
    const said = [...result.matchAll(/lines="(\d+)-(\d+)">\n([\s\S]*?)\n<\/passage>/g)];
    expect(said.map((match) => match[3]).join('\n')).toBe(
      'notes line 39\nnotes line 40\nThe pool limit is 20.\nrest line 1\nrest line 2',
    );
    expect(said[0]![1]).toBe('39');
    expect(said.at(-1)![2]).toBe('43');
  });

  it('finds a document by the end of its path, and names those that are like it', async () => {
    const { tell } = createToolWorld();
    expect(await tell('peek_context', { source: 'time.ts', startLine: 1 })).toContain('timeLimit = 5');
    expect(await tell('peek_context', { source: 'src/tim.ts', startLine: 1 })).toMatch(
      /no document "src\/tim\.ts" here; did you mean "src\/time\.ts"\?/,
    );
    expect(await tell('peek_context', { startLine: 1 })).toBe('there are 3 documents here; name one as "source".');
    expect(await tell('peek_context', { source: 'src/time.ts', startLine: 9 })).toBe(
      'there are no such lines: src/time.ts has lines 1 to 1 here.',
    );
  });

  it('goes on where it was cut', async () => {
    const { tell } = createToolWorld({ characters: 700 });
    let seen = '';
    let startLine = 1;
    for (let turn = 0; turn < 40 && startLine > 0; turn++) {
      const result = await tell('peek_context', { source: 'notes.md', startLine, endLine: 82 });
      expect(result.length).toBeLessThanOrEqual(780);
      seen += result;
      startLine = Number(/"startLine":(\d+)\}$/.exec(result)?.[1] ?? 0);
    }
    for (let line = 1; line <= 40; line++) expect(seen.match(new RegExp(`notes line ${line}\n`, 'g'))).toHaveLength(1);
    expect(seen).toContain('A limit of time is 5 s.');
  });
});

describe('named contexts', () => {
  it('are made of what matches, with the lines of the whole text', async () => {
    const { tell } = createToolWorld();
    const made = await tell('filter_context', { words: 'limit', name: 'limits' });
    expect(made).toMatch(/^limits now holds 4 passages of \d+, with 4 lines that match\.$/);
    expect(await tell('search_context', { words: 'time', context: 'limits' })).toMatch(
      /notes\.md:82: A limit of time[\s\S]*src\/time\.ts:1/,
    );
    expect(await tell('peek_context', { context: 'limits', source: 'notes.md', startLine: 82 })).toContain(
      'lines="82-82"',
    );
    expect(await tell('peek_context', { context: 'limits', source: 'notes.md', startLine: 1, endLine: 5 })).toMatch(
      /no such lines: notes\.md has lines \d+ to/,
    );
    expect(await tell('list_contexts')).toMatch(
      /- text: all of the text .*\n- limits: passages of text that match "limit" \(/,
    );
    expect(await tell('describe_context', { context: 'limits' })).toContain('src/time.ts');
  });

  it('get a name when none is given, and none twice', async () => {
    const { tell } = createToolWorld();
    expect(await tell('filter_context', { words: 'pool' })).toMatch(/^part-1 now holds/);
    expect(await tell('filter_context', { words: 'time', name: 'part-1' })).toBe(
      'there is a context "part-1" already; take another name.',
    );
    expect(await tell('filter_context', { words: 'time', name: 'a/b' })).toMatch(/is no name/);
    expect(await tell('filter_context', { words: 'xyzzy' })).toBe('no line of text matches "xyzzy"; nothing was made.');
  });

  it('are cut into chunks that together are all of it, and can be read by number or by name', async () => {
    const { tell, world } = createToolWorld();
    const listed = await tell('chunk_context', { characters: 400 });
    const count = Number(/^text\/400 has (\d+) chunks:/.exec(listed)![1]);
    expect(listed).toContain('- text/400#1: notes.md:1 to ');
    const pieces = world.contexts.chunks(world.contexts.get('text/400'));
    expect(pieces).toHaveLength(count);
    expect(pieces[0]!.start).toBe(0);
    expect(pieces.every(({ start }, index) => index === 0 || pieces[index - 1]!.end === start)).toBe(true);
    expect(pieces.at(-1)!.end).toBe(world.store.chunkCount);
    const second = await tell('get_chunk', { context: 'text/400', chunk: 2 });
    expect(second).toContain('<passage id="P');
    expect(await tell('search_context', { pattern: '.', context: 'text/400#2' })).toContain(
      /\n(.*line \d+)\n/.exec(second)![1],
    );
    expect(await tell('get_chunk', { context: 'text/400', chunk: 99 })).toBe(
      `text/400 has chunks 1 to ${count}, and no 99.`,
    );
  });

  it('of a chunk that is too long to show say where to go on', async () => {
    const { tell } = createToolWorld({ characters: 500 });
    expect(await tell('get_chunk', { chunk: 1 })).toMatch(
      /… \d of its \d passages are left out: peek_context \{"source":"notes\.md","startLine":\d+\}$/,
    );
  });
});
