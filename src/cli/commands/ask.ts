import type { CommandSpec } from '../command.ts';
import { outputOptions } from '../output-options.ts';
import { runAsk } from '../run-ask.ts';
import { settingOptions } from '../setting-flags.ts';

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
  options: [...outputOptions, { flags: '--no-stdin', about: 'do not read piped text' }, ...settingOptions(() => true)],
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
