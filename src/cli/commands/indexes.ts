import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';
import { timeoutOptions } from '../timeout.ts';

/** Settings that are stored with an index when it is created. */
const reading: readonly string[] = ['inputs.encoding', 'context.chunking', 'context.chunkTokens'];

export const indexCommand: CommandSpec = {
  name: 'index',
  about: 'Manage indexes of text that you ask about often: add, update, list and remove.',
  args: [
    {
      name: '<action>',
      about: 'add PATHS... --name NAME, update [NAME...], list, or rm NAME...',
      choices: ['add', 'update', 'list', 'rm'],
    },
    {
      name: '[names...]',
      about: 'add: files, folders and globs, as for rlm ask; update, rm: names of indexes',
      values: 'indexes',
    },
  ],
  options: [
    {
      flags: '--name <name>',
      about: 'add: the index to create or to add to; update: an index to update',
      values: 'indexes',
    },
    { flags: '--all', about: 'update: also read unchanged files' },
    { flags: '--force', about: 'update: even if more than half of the files, or all files of a folder, are gone' },
    { flags: '--json', about: 'add, update, list: print JSON' },
    ...settingOptions((key) => reading.includes(key)).map((option) => ({ ...option, about: `add: ${option.about}` })),
    ...timeoutOptions.map((option) => ({ ...option, about: `add, update: ${option.about}` })),
  ],
  note: [
    'An index contains the text of its files and the data to find passages in it. rlm ask --index NAME reads no files and',
    'only parts of the index. update reads changed files; without names it updates every index. You can ask questions',
    'during an update, and a process that is killed leaves the index unchanged. An update that would remove more than half',
    'of an index, or all files of one of its paths, needs --force, because a disk may not be mounted.',
  ].join('\n'),
  examples: [
    ['rlm index add docs/ src/ --name docs', 'index two folders'],
    ['rlm ask "Where is the retry limit set?" --index docs', 'ask about the index'],
    ['rlm index update docs', 'read the files that have changed since'],
    ['rlm index list', 'list every index: name, documents, size, last update, paths'],
    ['rlm index rm docs', 'remove an index, but not its files'],
  ],
  run: async (invocation) => (await import('../actions/index.ts')).runIndex(invocation),
};
