import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';
import { timeoutOptions } from '../timeout.ts';

/** What an index is read with from then on. */
const reading: readonly string[] = ['inputs.encoding', 'context.chunking', 'context.chunkTokens'];

export const indexCommand: CommandSpec = {
  name: 'index',
  about: 'Keep text that is asked about often as an index: add, update, list and remove.',
  args: [
    {
      name: '<action>',
      about: 'add PATHS... --name NAME, update, list, or rm NAME...',
      choices: ['add', 'update', 'list', 'rm'],
    },
    {
      name: '[names...]',
      about: 'add: files, folders and globs, as for rlm ask; rm: names of indexes',
      values: 'indexes',
    },
  ],
  options: [
    {
      flags: '--name <name>',
      about: 'add: the index to make or to add to; update: the one to bring up to date',
      values: 'indexes',
    },
    { flags: '--all', about: 'update: read files that have not changed, too' },
    { flags: '--force', about: 'update: also where more than half of the files, or all of a folder, are gone' },
    { flags: '--json', about: 'add, update, list: print JSON' },
    ...settingOptions((key) => reading.includes(key)).map((option) => ({ ...option, about: `add: ${option.about}` })),
    ...timeoutOptions.map((option) => ({ ...option, about: `add, update: ${option.about}` })),
  ],
  note: [
    'An index holds the text of its files and what finds passages in it; rlm ask --index NAME reads neither files nor all',
    'of the index. update reads what has changed, and without --name does so for every index. Questions can be asked',
    'meanwhile, and a process that is killed leaves the index as it was. An update that would remove more than half of an',
    'index, or all that one of its paths stands for, is refused without --force: a disk may not be mounted.',
  ].join('\n'),
  examples: [
    ['rlm index add docs/ src/ --name docs', 'index two folders'],
    ['rlm ask "Where is the retry limit set?" --index docs', 'ask about them'],
    ['rlm index update --name docs', 'read what has changed since'],
    ['rlm index list', 'every index: name, documents, size, last update, paths'],
    ['rlm index rm docs', 'remove an index; its files stay'],
  ],
  run: async (invocation) => (await import('../actions/index.ts')).runIndex(invocation),
};
