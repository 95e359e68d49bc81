import { settingsByKey } from '../../index.ts';
import type { CommandSpec } from '../command.ts';
import { outputOptions } from '../output/output-options.ts';
import { settingOptions } from '../setting-flags.ts';

/** Who answers is what the run is recorded with, and whether it is recorded is settled. */
const settled: readonly string[] = ['provider', 'journal'];

export const resumeCommand: CommandSpec = {
  name: 'resume',
  about: 'Go on with a run where it stopped: calls that were made are not made again.',
  args: [{ name: '[run]', about: 'its id or the beginning of one; default: the newest run', values: 'runs' }],
  options: [
    { flags: '--last', about: 'the newest run' },
    { flags: '--force', about: 'go on although something has changed, and make the calls again that this touches' },
    ...outputOptions,
    ...settingOptions((key) => settingsByKey.get(key)!.mayChange && !settled.includes(key)),
  ],
  note: 'The question, its paths, piped text and flags are those of the run. Flags given here win over them.',
  examples: [
    ['rlm resume', 'go on with the newest run, after Ctrl-C, a crash or a lost server'],
    ['rlm resume 20261121T010842-3f9a2c --max-calls 100', 'go on with a run that has reached a limit'],
    ['rlm runs list', 'see which runs are there'],
  ],
  run: async (invocation) => (await import('../actions/resume.ts')).runResume(invocation),
};
