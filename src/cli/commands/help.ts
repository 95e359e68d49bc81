import type { CommandSpec } from '../command.ts';

export const helpCommand: CommandSpec = {
  name: 'help',
  about: 'Explain a topic: exit-codes, environment, output.',
  args: [
    {
      name: '[topic]',
      about: 'exit-codes, environment, output, or a command',
      choices: ['exit-codes', 'environment', 'output'],
    },
  ],
  options: [],
  examples: [
    ['rlm help exit-codes', 'explain each exit status'],
    ['rlm help environment', 'list the environment variables'],
    ['rlm help output', 'list the fields of the JSON output'],
  ],
  run: async (invocation) => (await import('../actions/help.ts')).runHelp(invocation),
};
