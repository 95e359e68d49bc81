import { runAsk } from '../actions/ask.ts';
import type { CommandSpec } from '../command.ts';
import { outputOptions } from '../output/output-options.ts';
import { reportNames } from '../output/report-files.ts';
import { settingOptions } from '../setting-flags.ts';

/** Options that a follow-up takes from its run, or that do not apply to it. */
const notFollowing: readonly string[] = ['index', 'dryRun', 'record', 'replay'];

export const askCommand: CommandSpec = {
  name: 'ask',
  about: 'Answer a question about files, folders and piped text.',
  args: [
    { name: '<question>', about: 'the question' },
    {
      name: '[paths...]',
      about: "files, folders and globs ('docs/**/*.md'); .gitignore and .rlmignore apply in folders; - is piped text",
    },
  ],
  options: [
    {
      flags: '-c, --continue',
      about: 'ask a follow-up on the newest run, with its text, its answer and a new budget',
      group: 'question',
      brief: 'ask a follow-up on the newest run',
      conflicts: notFollowing,
    },
    {
      flags: '--run <id>',
      about: 'ask a follow-up on this run, given by its id or the beginning of its id',
      group: 'question',
      values: 'runs',
      conflicts: notFollowing,
    },
    ...outputOptions,
    {
      flags: '--index <name>',
      about: 'ask about an index (rlm index add) instead of files',
      group: 'text',
      brief: 'ask about an index instead of files',
      values: 'indexes',
    },
    { flags: '--no-stdin', about: 'do not read piped text', group: 'text' },
    {
      flags: '--dry-run',
      about: 'show the inputs, the approach and the worst case without calling a model',
      group: 'limits',
      brief: 'show the inputs and the worst case only',
      conflicts: ['replay', 'record', ...reportNames],
    },
    {
      flags: '--record <file>',
      about: 'record the replies of this run in a file, for --replay; overwrites a recording but no other file',
      group: 'keeping',
      conflicts: ['replay'],
    },
    { flags: '--replay <file>', about: 'answer from a recording, without a model or network', group: 'keeping' },
    ...settingOptions(() => true),
  ],
  note: [
    'Piped text is read when there are no paths, no --index and no --server. Together with these, only - reads it.',
    'To show the settings and the origin of each value: rlm config list',
  ].join('\n'),
  examples: [
    ['rlm ask "What failed first, and why?" build.log', 'ask about a file'],
    ['rlm ask "Which settings are read where?" src/ \'docs/**/*.md\'', 'ask about a folder and a glob'],
    ['cat build.log | rlm ask "What failed first?"', 'ask about piped text'],
    ['rlm ask -c "And who decided that?"', 'ask a follow-up on the newest run'],
    ['git diff | rlm ask "Which of these changes break the API?" - docs/api.md', 'ask about piped text and a file'],
    ['rlm ask "Is the build safe to ship?" ci.log --json --min-confidence 60', 'gate a CI job on the exit status'],
    ['rlm ask "Where is the retry limit set?" --index docs', 'ask about an index without reading the files again'],
    ['rlm ask "Compare both designs" docs/ --strategy decompose', 'split the question into parts'],
    ['rlm ask "Compare both designs" docs/ --dry-run', 'show the worst case in calls, tokens and money'],
  ],
  run: runAsk,
};
