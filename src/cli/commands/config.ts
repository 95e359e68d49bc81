import type { CommandSpec } from '../command.ts';

export const configCommand: CommandSpec = {
  name: 'config',
  about: 'Show the configuration in force and where each value comes from.',
  args: [
    {
      name: '<action>',
      about:
        'list (every setting), get (one setting), path (the files that are read), presets (what each stands for here)',
      choices: ['list', 'get', 'path', 'presets'],
    },
    { name: '[key]', about: 'the setting to get, such as budget.maxCalls', values: 'settings' },
  ],
  options: [{ flags: '--json', about: 'print JSON' }],
  examples: [
    ['rlm config list', 'every setting, its value and where it comes from'],
    ['rlm config get model', 'one value, for scripts'],
    ['rlm config presets', 'the models that each preset would take here, and why'],
    ['rlm config path', 'the files, and whether they are there'],
  ],
  run: async (invocation) => (await import('../actions/config.ts')).runConfig(invocation),
};
