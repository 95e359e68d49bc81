import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionsFor } from '../../src/cli/actions/completion.ts';
import type { ValueKind } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands/index.ts';

const find = async (kind: ValueKind) =>
  [
    [`${kind}-1`, 'about'],
    ['has space', ''],
    ['$(x)', ''],
    ['`x`', ''],
  ] as const;
const words = async (...line: string[]) => (await completionsFor(line, commands, find)).map(([word]) => word);

describe('completion', () => {
  it('knows every command, its options, and the values of each place', async () => {
    expect(await words('')).toEqual(commands.map(({ name }) => name));
    expect(await words('ru')).toEqual(['runs']);
    for (const { name, options } of commands) {
      const offered = await words(name, '-');
      expect(offered).toContain('--help');
      for (const { flags } of options)
        expect(offered).toContain(
          flags
            .split(/[ ,]+/)
            .filter((part) => part.startsWith('--'))
            .at(-1),
        );
    }
  });

  it.each([
    [
      ['ask', 'q', '--strategy', ''],
      ['auto', 'direct', 'decompose', 'scan', 'explore', 'repl'],
    ],
    [
      ['ask', '--strategy=d'],
      ['--strategy=direct', '--strategy=decompose'],
    ],
    [['ask', 'q', '--fail-on', ''], ['not-found']],
    [['ask', '-m', ''], ['models-1']],
    [['a question?', '--role', ''], ['roles-1']],
    [['ask', 'q', ''], []],
    [['ask', '--', '--st'], []],
    [['ask', '--format', 'x'], []],
    [['resume', '--max-calls', '5', ''], ['runs-1']],
    [['runs', 'show', 'r'], ['runs-1']],
    [
      ['runs', 's'],
      ['show', 'search'],
    ],
    [['runs', 'show', ''], ['runs-1']],
    [['index', 'update', '--name', ''], ['indexes-1']],
    [['config', 'get', ''], ['settings-1']],
    [['models', 'show', 'm'], ['models-1']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', 'powershell'],
    ],
    [['doctor', '--json', '--j'], []],
  ])('%j becomes %j', async (line, expected) => {
    expect(await words(...line)).toEqual(expected);
  });

  it('offers nothing that a shell could interpret as more than a word, whatever was typed', async () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('ask', '--model', '--', '-', '--strategy=', '$(x)', '--name', 'runs'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word), async (line) => {
        for (const one of await words(...line)) expect(one).toMatch(/^[\w./:@%+=,-]+$/);
      }),
    );
  });
});
