import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';

/** Each check says this by itself. */
const unused: readonly string[] = ['minConfidence'];

export const checksCommand: CommandSpec = {
  name: 'checks',
  about: 'Hold documents against questions with expectations, as tests hold code.',
  args: [
    { name: '<file>', about: 'the checks, in YAML or JSON' },
    { name: '[paths...]', about: 'files, folders and globs to ask about, in place of those that the file names' },
  ],
  options: [
    { flags: '--json', about: 'print JSON' },
    { flags: '--junit <file>', about: 'also write each check as a test case (JUnit XML)' },
    { flags: '--step-summary', about: 'also add the outcome to the summary of the GitHub step' },
    ...settingOptions((key) => !unused.includes(key)),
  ],
  note: [
    'The file holds paths (from the current folder) and checks, each with a question and any of: name, minConfidence (0 to',
    '100), begins (the first words of the answer), contains and excludes (words of the answer), cites (a source that is',
    'cited), and paths of its own. The status is 7 where an expectation does not hold.',
  ].join('\n'),
  examples: [
    ['rlm checks checks.yaml', 'ask every question, and say which expectations hold'],
    ['rlm checks checks.yaml docs/ --junit checks.xml', 'about another folder, and for a CI server'],
  ],
  run: async (invocation) => (await import('../actions/checks/checks.ts')).runChecks(invocation),
};
