import { settingsByKey } from '../../index.ts';
import type { CommandSpec } from '../command.ts';
import { outputOptions } from '../output/output-options.ts';
import { settingOptions } from '../setting-flags.ts';

/** Settings that a resumed run keeps: its provider, and that it is recorded. */
const settled: readonly string[] = ['provider', 'journal'];

export const resumeCommand: CommandSpec = {
  name: 'resume',
  about: 'Continue an interrupted run. Completed model calls are not repeated.',
  args: [
    { name: '[run]', about: 'the id of a run, or the beginning of its id; default: the newest run', values: 'runs' },
  ],
  options: [
    { flags: '--last', about: 'the newest run' },
    {
      flags: '--force',
      about: 'continue although inputs or settings changed, and repeat the calls that depend on them',
    },
    ...outputOptions,
    ...settingOptions((key) => settingsByKey.get(key)!.mayChange && !settled.includes(key)),
  ],
  note: 'The run keeps its question, paths, piped text and flags. Flags given here win over its own.',
  examples: [
    ['rlm resume', 'continue the newest run after Ctrl-C, a crash or a lost server'],
    ['rlm resume 20261121T010842-3f9a2c --max-calls 100', 'continue a run that reached a limit'],
    ['rlm runs list', 'list the recorded runs'],
  ],
  run: async (invocation) => (await import('../actions/resume.ts')).runResume(invocation),
};
