import { contextOptions, contextPaths } from '../actions/with-context.ts';
import type { CommandSpec } from '../command.ts';

export const searchCommand: CommandSpec = {
  name: 'search',
  about: 'Search text by a regular expression, without a model.',
  args: [{ name: '<pattern>', about: 'a regular expression, which is matched against each line' }, contextPaths],
  options: [
    { flags: '-i, --ignore-case', about: 'ignore case' },
    { flags: '-C, --context <lines>', about: 'lines to show before and after each match, at most 20' },
    {
      flags: '--limit <matches>',
      about: 'maximum number of matches to show; further matches are counted; default: 100',
    },
    { flags: '--exit-code', about: 'exit with 1 when no line matches, as grep does' },
    ...contextOptions,
  ],
  note: [
    'The time is linear in the length of the text for any pattern. Patterns may contain literals, ., [classes], \\d \\w \\s',
    '\\b \\p{L}, groups, |, ^, $ and * + ? {n,m}; lookaround and backreferences are not supported. Without --exit-code, the',
    'exit status is 0 even when no line matches.',
  ].join('\n'),
  examples: [
    ["rlm search 'pool (exhausted|empty)' logs/", 'show every matching line with its file and number'],
    ['rlm search -i -C 2 timeout build.log', 'ignore case, and show two lines around each match'],
    ["cat build.log | rlm search 'FATAL|ERROR' --limit 5 --json", 'search piped text, with JSON output'],
  ],
  run: async (invocation) => (await import('../actions/search.ts')).runSearch(invocation),
};
