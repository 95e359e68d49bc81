import type { CommandSpec } from '../command.ts';

export const cacheCommand: CommandSpec = {
  name: 'cache',
  about: 'Show the size of the cache of replies (--cache), or clear it.',
  args: [
    {
      name: '<action>',
      about: 'stats (folder and size), clear (remove everything)',
      choices: ['stats', 'clear'],
    },
  ],
  options: [{ flags: '--json', about: 'print JSON' }],
  note: 'A run uses the cache with --cache, RLM_CACHE_ENABLED=1 or the setting cache.enabled; cache.maxBytes limits its size.',
  examples: [
    ['rlm cache stats', 'show its folder, entries, size and limit'],
    ['rlm cache clear', 'remove all kept replies and vectors, and the compiled code of all versions'],
  ],
  run: async (invocation) => (await import('../actions/cache.ts')).runCache(invocation),
};
