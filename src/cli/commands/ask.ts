import { settingsByKey } from '../../config/settings.ts';
import type { CommandSpec, OptionSpec } from '../command.ts';
import { runAsk } from '../run-ask.ts';

/** The flags that set a setting, from the settings' own table; what null means there is of no use on a command line. */
const settingOptions: OptionSpec[] = [...settingsByKey.values()].flatMap(({ flag, about }) =>
  flag ? [{ flags: flag, about: about.replace(/; null: .*$/, '') }] : [],
);

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
    { flags: '--json', about: 'print one JSON object (same as --format json)', conflicts: ['format'] },
    {
      flags: '--format <format>',
      about: 'text, json (one object), or ndjson (one event a line, the last holds the result)',
      choices: ['text', 'json', 'ndjson'],
    },
    { flags: '-o, --output <file>', about: 'write the answer to a file instead of stdout' },
    { flags: '-q, --quiet', about: 'nothing on stderr but errors', conflicts: ['verbose'] },
    { flags: '-v, --verbose', about: 'structured logs on stderr, one JSON object a line' },
    { flags: '--no-stdin', about: 'do not read piped text' },
    ...settingOptions,
  ],
  note: 'Defaults, and where each value comes from: rlm config list',
  examples: [
    ['rlm ask "What failed first, and why?" build.log', 'ask about a file'],
    ['rlm ask "Which settings are read where?" src/ \'docs/**/*.md\'', 'ask about a folder and a glob'],
    ['cat build.log | rlm ask "What failed first?"', 'ask about piped text'],
    ['rlm ask "Is the build safe to ship?" ci.log --json --min-confidence 60', 'gate a CI job on the exit status'],
    ['rlm ask "Compare both designs" docs/ --strategy decompose', 'split the question into parts'],
  ],
  run: runAsk,
};
