import { contextOptions, contextPaths } from '../actions/with-context.ts';
import type { CommandSpec } from '../command.ts';

export const describeCommand: CommandSpec = {
  name: 'describe',
  about: 'Show what a model is told of text that it cannot see: names, sizes, kinds, first lines.',
  args: [contextPaths],
  options: contextOptions,
  examples: [
    ['rlm describe docs/ src/', 'what is in two folders'],
    ['cat build.log | rlm describe --json', 'piped text, for machines'],
  ],
  run: async (invocation) => (await import('../actions/describe.ts')).runDescribe(invocation),
};
