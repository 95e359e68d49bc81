import type { CommandSpec } from '../command.ts';

export const runsCommand: CommandSpec = {
  name: 'runs',
  about: 'List, show, search, export and remove recorded runs.',
  args: [
    {
      name: '<action>',
      about: 'list, show RUN, search WORDS, export RUN, rm RUN..., or prune (removes old runs and evaluations)',
      choices: ['list', 'show', 'search', 'export', 'rm', 'prune'],
    },
    { name: '[names...]', about: 'runs by their ids or beginnings of them; for search, words', values: 'runs' },
  ],
  options: [
    { flags: '--last', about: 'show, export: the newest run' },
    { flags: '--json', about: 'list, show, search: print JSON' },
    { flags: '-o, --output <file>', about: 'export: write to a file instead of stdout; - is stdout' },
    {
      flags: '--older-than <age>',
      about: 'prune: remove runs and evaluations of which nothing was recorded for that time: 90m, 12h, 30d, 4w',
    },
    { flags: '--dry-run', about: 'prune: only list what would be removed' },
  ],
  note: [
    'A run that a process works on is never removed. search finds the runs that have all the words in question, answer or',
    'names of documents. export prints the record of a run, one JSON object a line.',
  ].join('\n'),
  examples: [
    ['rlm runs list', 'every run, the newest first: id, when, status, calls, question'],
    ['rlm runs show --last', 'the newest run: answer, sources, questions, calls, tokens, time'],
    ['rlm runs show 20261121T010842 --json', 'the same for machines, of the run that begins so'],
    ['rlm runs search pool exhausted', 'the runs that have both words'],
    ['rlm runs export --last -o run.jsonl', 'keep the record of a run'],
    ['rlm runs prune --older-than 30d --dry-run', 'see what would be removed'],
  ],
  run: async (invocation) => (await import('../actions/runs.ts')).runRuns(invocation),
};
