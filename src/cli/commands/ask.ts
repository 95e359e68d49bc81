import { runAsk } from '../actions/ask.ts';
import type { CommandSpec } from '../command.ts';
import { outputOptions } from '../output/output-options.ts';
import { reportNames } from '../output/report-files.ts';
import { settingOptions } from '../setting-flags.ts';

/** What a follow-up has from its run, or cannot go with. */
const notFollowing: readonly string[] = ['index', 'dryRun', 'record', 'replay'];

export const askCommand: CommandSpec = {
  name: 'ask',
  about: 'Answer a question about files, folders and piped text.',
  args: [
    { name: '<question>', about: 'what you want to know' },
    {
      name: '[paths...]',
      about: "files, folders and globs ('docs/**/*.md'); folders honour .gitignore and .rlmignore; - is piped text",
    },
  ],
  options: [
    {
      flags: '-c, --continue',
      about: 'ask a follow-up: about the text of the newest run, with its answer in hand, and a budget of its own',
      group: 'question',
      brief: 'a follow-up on the newest run, about its text',
      conflicts: notFollowing,
    },
    {
      flags: '--run <id>',
      about: 'ask a follow-up on this run: its id or the beginning of one',
      group: 'question',
      brief: 'a follow-up on this run',
      values: 'runs',
      conflicts: notFollowing,
    },
    ...outputOptions,
    {
      flags: '--index <name>',
      about: 'ask about an index (rlm index add) in place of files',
      group: 'text',
      brief: 'ask about an index in place of files',
      values: 'indexes',
    },
    { flags: '--no-stdin', about: 'do not read piped text', group: 'text' },
    {
      flags: '--dry-run',
      about: 'show the inputs, the approach and the worst case; ask nothing',
      group: 'limits',
      brief: 'show the inputs and the worst case; ask nothing',
      conflicts: ['replay', 'record', ...reportNames],
    },
    {
      flags: '--record <file>',
      about: 'keep the replies of this run in a file, for --replay; replaces another recording, and no other file',
      group: 'keeping',
      conflicts: ['replay'],
    },
    { flags: '--replay <file>', about: 'answer from a recording: no model and no network', group: 'keeping' },
    ...settingOptions(() => true),
  ],
  note: [
    'Piped text is read where neither paths nor --index or --server name other text; beside these it is read only for -.',
    'Defaults, and where each value comes from: rlm config list',
  ].join('\n'),
  examples: [
    ['rlm ask "What failed first, and why?" build.log', 'ask about a file'],
    ['rlm ask "Which settings are read where?" src/ \'docs/**/*.md\'', 'ask about a folder and a glob'],
    ['cat build.log | rlm ask "What failed first?"', 'ask about piped text'],
    ['rlm ask -c "And who decided that?"', 'ask a follow-up on the newest run'],
    ['git diff | rlm ask "Which of these changes break the API?" - docs/api.md', 'ask about piped text and a file'],
    ['rlm ask "Is the build safe to ship?" ci.log --json --min-confidence 60', 'gate a CI job on the exit status'],
    ['rlm ask "Where is the retry limit set?" --index docs', 'ask about an index: no file is read again'],
    ['rlm ask "Compare both designs" docs/ --strategy decompose', 'split the question into parts'],
    ['rlm ask "Compare both designs" docs/ --dry-run', 'see the worst case in calls, tokens and money first'],
  ],
  run: runAsk,
};
