import type { CommandSpec } from '../command.ts';

export const rolesCommand: CommandSpec = {
  name: 'roles',
  about: 'List the roles that rlm ask --role can give to a model.',
  args: [],
  options: [{ flags: '--json', about: 'print JSON, with the words of each' }],
  note: [
    'A role is a markdown file: front matter (name, about, and where wanted tools, strategy, sections), and below it what',
    'models are told. Roles of your own stand in roles/ beside your configuration file (rlm config path), or are named by',
    'the path of their file: --role ./reviewer.md',
  ].join('\n'),
  examples: [
    ['rlm roles', 'each with what it is for, how it goes about it, and what its answers consist of'],
    ['rlm ask "Why does the upload fail?" src/ app.log --role debugger --fail-count 3', 'ask with one of them'],
  ],
  run: async (invocation) => (await import('../actions/roles.ts')).runRoles(invocation),
};
