import type { CommandSpec } from '../command.ts';
import { outputOptions } from '../output/output-options.ts';
import { settingOptions } from '../setting-flags.ts';

/** Of those that say how an answer is handed over, the ones that make sense for one after the other. */
const kept = ['--no-stream', '-q, --quiet', '-v, --verbose'];

export const chatCommand: CommandSpec = {
  name: 'chat',
  about: 'Ask a question about files, folders or an index, and follow-ups, one after the other.',
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
      about: 'begin with a follow-up on this run: its id or the beginning of one',
      group: 'question',
      brief: 'begin with a follow-up on this run',
      values: 'runs',
      conflicts: ['index'],
    },
    ...outputOptions.filter(({ flags }) => kept.includes(flags)),
    {
      flags: '--index <name>',
      about: 'ask about an index (rlm index add) in place of files',
      group: 'text',
      brief: 'ask about an index in place of files',
      values: 'indexes',
    },
    ...settingOptions((key) => key !== 'journal'),
  ],
  note: [
    'Each question is a run of its own, with its own budget, that follows the last one that was answered: about the same',
    'text, which is read once, with the answers so far in hand. Arrow keys bring back earlier questions, also those of',
    'earlier chats. Ctrl-C ends an answer and keeps what was found, Ctrl-D leaves. A line that ends with \\ goes on with',
    'the next one; pasted lines are one question. Piped questions are asked one a line, and the status is the first that',
    'is not 0.',
  ].join('\n'),
  examples: [
    ['rlm chat docs/ src/', 'ask about two folders'],
    ['rlm chat -c', 'go on from the newest run'],
    ['rlm chat logs/ < questions.txt', 'ask the lines of a file, each with the answers before it in hand'],
  ],
  run: async (invocation) => (await import('../actions/chat.ts')).runChat(invocation),
};
