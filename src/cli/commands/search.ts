import type { CommandSpec } from '../command.ts';
import { contextOptions, contextPaths } from '../with-context.ts';

export const searchCommand: CommandSpec = {
  name: 'search',
  about: 'Search text by a regular expression, without a model.',
  args: [{ name: '<pattern>', about: 'a regular expression; each line is searched by itself' }, contextPaths],
  options: [
    { flags: '-i, --ignore-case', about: 'do not tell upper from lower case' },
    { flags: '-C, --context <lines>', about: 'lines to show before and after each match, at most 20' },
    { flags: '--limit <matches>', about: 'matches to show, at most; further ones are counted; default: 100' },
    ...contextOptions,
  ],
  note: [
    'Takes time in proportion to the text, whatever the pattern. Supported are literals, ., [classes], \\d \\w \\s \\b \\p{L},',
    'groups, |, ^, $ and * + ? {n,m}; lookaround and backreferences are not. The status is 0 also when nothing is found.',
  ].join('\n'),
  examples: [
    ["rlm search 'pool (exhausted|empty)' logs/", 'every line that matches, with its file and number'],
    ['rlm search -i -C 2 timeout build.log', 'in any case, with two lines around each match'],
    ["cat build.log | rlm search 'FATAL|ERROR' --limit 5 --json", 'piped text, for machines'],
  ],
  run: async (invocation) => (await import('../run-search.ts')).runSearch(invocation),
};
