import type { CommandSpec } from '../command.ts';

export const rolesCommand: CommandSpec = {
  name: 'roles',
  about: 'List the roles for rlm ask --role.',
  args: [],
  options: [{ flags: '--json', about: 'print JSON, with the text of each role' }],
  note: [
    'A role is a Markdown file with front matter (name, about, and optionally tools, strategy, sections) and, below it, the',
    'text that is added to the prompts. Put your own roles in roles/ beside your configuration file (rlm config path), or',
    'give the path of a file: --role ./reviewer.md',
  ].join('\n'),
  examples: [
    ['rlm roles', 'list each role with its purpose, its strategy and the sections of its answers'],
    ['rlm ask "Why does the upload fail?" src/ app.log --role debugger --fail-count 3', 'ask with a role'],
  ],
  run: async (invocation) => (await import('../actions/roles.ts')).runRoles(invocation),
};
