import type { CommandSpec } from '../command.ts';

export const cacheCommand: CommandSpec = {
  name: 'cache',
  about: 'See how much the cache of replies holds (--cache), or clear it.',
  args: [
    {
      name: '<action>',
      about: 'stats (where it is, what it holds), clear (remove all of it)',
      choices: ['stats', 'clear'],
    },
  ],
  options: [{ flags: '--json', about: 'print JSON' }],
  note: 'A run uses the cache with --cache, RLM_CACHE_ENABLED=1 or the setting cache.enabled; cache.maxBytes limits its size.',
  examples: [
    ['rlm cache stats', 'its folder, entries, size and limit'],
    ['rlm cache clear', 'remove every kept reply and vector, and compiled code of all versions'],
  ],
  run: async (invocation) => (await import('../actions/cache.ts')).runCache(invocation),
};
