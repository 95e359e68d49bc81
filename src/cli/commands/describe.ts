import { contextOptions, contextPaths } from '../actions/with-context.ts';
import type { CommandSpec } from '../command.ts';

export const describeCommand: CommandSpec = {
  name: 'describe',
  about: 'Show the description of a text that a model gets: names, sizes, kinds, first lines.',
  args: [contextPaths],
  options: contextOptions,
  examples: [
    ['rlm describe docs/ src/', 'describe two folders'],
    ['cat build.log | rlm describe --json', 'describe piped text, as JSON'],
  ],
  run: async (invocation) => (await import('../actions/describe.ts')).runDescribe(invocation),
};
