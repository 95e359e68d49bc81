import { contextOptions, contextPaths } from '../actions/with-context.ts';
import type { CommandSpec } from '../command.ts';

export const searchCommand: CommandSpec = {
  name: 'search',
  about: 'Search text by a regular expression, without a model.',
  args: [{ name: '<pattern>', about: 'a regular expression; each line is searched by itself' }, contextPaths],
  options: [
    { flags: '-i, --ignore-case', about: 'do not tell upper from lower case' },
    { flags: '-C, --context <lines>', about: 'lines to show before and after each match, at most 20' },
    { flags: '--limit <matches>', about: 'matches to show, at most; further ones are counted; default: 100' },
    { flags: '--exit-code', about: 'exit with 1 where no line matches, as grep does' },
    ...contextOptions,
  ],
  note: [
    'Takes time in proportion to the text, whatever the pattern. Supported are literals, ., [classes], \\d \\w \\s \\b \\p{L},',
    'groups, |, ^, $ and * + ? {n,m}; lookaround and backreferences are not. Without --exit-code the status is 0 also where nothing is found.',
  ].join('\n'),
  examples: [
    ["rlm search 'pool (exhausted|empty)' logs/", 'every line that matches, with its file and number'],
    ['rlm search -i -C 2 timeout build.log', 'in any case, with two lines around each match'],
    ["cat build.log | rlm search 'FATAL|ERROR' --limit 5 --json", 'piped text, for machines'],
  ],
  run: async (invocation) => (await import('../actions/search.ts')).runSearch(invocation),
};
