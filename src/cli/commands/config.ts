import type { CommandSpec } from '../command.ts';

export const configCommand: CommandSpec = {
  name: 'config',
  about: 'Show the current configuration and the origin of each value.',
  args: [
    {
      name: '<action>',
      about: 'list (every setting), get (one setting), path (the files that are read), presets (the models of each)',
      choices: ['list', 'get', 'path', 'presets'],
    },
    { name: '[key]', about: 'the setting to get, such as budget.maxCalls', values: 'settings' },
  ],
  options: [{ flags: '--json', about: 'print JSON' }],
  examples: [
    ['rlm config list', 'show every setting, its value and its origin'],
    ['rlm config get model', 'print one value, for scripts'],
    ['rlm config presets', 'show which models each preset uses on this machine, and why'],
    ['rlm config path', 'show the files, and whether they exist'],
  ],
  run: async (invocation) => (await import('../actions/config.ts')).runConfig(invocation),
};
