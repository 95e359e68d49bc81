import type { CommandSpec } from '../command.ts';
import { outputOptions } from '../output/output-options.ts';
import { settingOptions } from '../setting-flags.ts';

/** The output options that make sense for several answers. */
const kept = ['--no-stream', '-q, --quiet', '-v, --verbose'];

export const chatCommand: CommandSpec = {
  name: 'chat',
  about: 'Ask questions and follow-ups about files, folders or an index.',
  args: [{ name: '[paths...]', about: "files, folders and globs ('docs/**/*.md'), as for rlm ask" }],
  options: [
    {
      flags: '-c, --continue',
      about: 'begin with a follow-up on the newest run',
      group: 'question',
      brief: 'begin with a follow-up on the newest run',
      conflicts: ['run', 'index'],
    },
    {
      flags: '--run <id>',
      about: 'begin with a follow-up on this run, given by its id or the beginning of its id',
      group: 'question',
      brief: 'begin with a follow-up on this run',
      values: 'runs',
      conflicts: ['index'],
    },
    ...outputOptions.filter(({ flags }) => kept.includes(flags)),
    {
      flags: '--index <name>',
      about: 'ask about an index (rlm index add) instead of files',
      group: 'text',
      brief: 'ask about an index instead of files',
      values: 'indexes',
    },
    ...settingOptions((key) => key !== 'journal'),
  ],
  note: [
    'Each question is a separate run with its own budget, and a follow-up to the last question that got an answer. The',
    'text is read once. The arrow keys recall earlier questions, including those of earlier chats. Ctrl-C stops an answer',
    'and keeps what was found; Ctrl-D exits. A line that ends with \\ continues on the next line; pasted lines are one',
    'question. Piped questions are read one per line, and the exit status is the first that is not 0.',
  ].join('\n'),
  examples: [
    ['rlm chat docs/ src/', 'ask about two folders'],
    ['rlm chat -c', 'continue from the newest run'],
    ['rlm chat logs/ < questions.txt', 'ask each line of a file, as a follow-up to the previous line'],
  ],
  run: async (invocation) => (await import('../actions/chat.ts')).runChat(invocation),
};
