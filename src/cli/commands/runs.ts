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
    { name: '[names...]', about: 'ids of runs, or beginnings of ids; for search, words', values: 'runs' },
  ],
  options: [
    { flags: '--all', about: 'list: also the runs of evaluations and of checks' },
    { flags: '--last', about: 'show, export: the newest run that is no part of these' },
    { flags: '--json', about: 'list, show, search: print JSON' },
    { flags: '-o, --output <file>', about: 'export: write to a file instead of stdout; - is stdout' },
    {
      flags: '--older-than <age>',
      about: 'prune: remove runs and evaluations without activity for this time: 90m, 12h, 30d, 4w',
    },
    { flags: '--dry-run', about: 'prune: only list the runs and evaluations to remove' },
  ],
  note: [
    'A run in progress is never removed. search finds the runs that contain all the words in their question, answer or',
    'document names. export prints the record of a run, one JSON object per line.',
  ].join('\n'),
  examples: [
    ['rlm runs list', 'list every run, the newest first: id, start, status, calls, question'],
    ['rlm runs show --last', 'show the newest run: answer, sources, questions, calls, tokens, time'],
    ['rlm runs show 20261121T010842 --json', 'show a run as JSON, given the beginning of its id'],
    ['rlm runs search pool exhausted', 'find the runs that contain both words'],
    ['rlm runs export --last -o run.jsonl', 'save the record of a run'],
    ['rlm runs prune --older-than 30d --dry-run', 'list the runs that would be removed'],
  ],
  run: async (invocation) => (await import('../actions/runs.ts')).runRuns(invocation),
};
