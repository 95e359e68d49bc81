import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';

/** Settings that each check defines itself. */
const unused: readonly string[] = ['minConfidence'];

export const checksCommand: CommandSpec = {
  name: 'checks',
  about: 'Test documents with questions and expected answers.',
  args: [
    { name: '<file>', about: 'the checks, in YAML or JSON' },
    { name: '[paths...]', about: 'files, folders and globs to ask about, instead of the paths in the file' },
  ],
  options: [
    { flags: '--json', about: 'print JSON' },
    { flags: '--junit <file>', about: 'also write each check as a test case (JUnit XML)' },
    { flags: '--step-summary', about: 'also add the results to the summary of the GitHub step' },
    ...settingOptions((key) => !unused.includes(key)),
  ],
  note: [
    'The file contains paths (relative to the current folder) and checks. A check has a question and any of: name,',
    'minConfidence (0 to 100), begins (first words of the answer), contains and excludes (words of the answer), cites (a',
    'cited source), and paths of its own. The exit status is 7 when an expectation does not hold.',
  ].join('\n'),
  examples: [
    ['rlm checks checks.yaml', 'ask every question and show which expectations hold'],
    ['rlm checks checks.yaml docs/ --junit checks.xml', 'check another folder, with a report for a CI server'],
  ],
  run: async (invocation) => (await import('../actions/checks/checks.ts')).runChecks(invocation),
};
