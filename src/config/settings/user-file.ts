import * as z from 'zod/mini';
import { setting } from './kinds.ts';

const usd = z.number().check(z.gte(0));

/** Settings without a flag or variable. They are set in the user's file. */
export const userFile = {
  prices: setting(
    () =>
      z.record(
        z.string(),
        z.object({ input: usd, output: usd, cacheRead: z.optional(usd), cacheWrite: z.optional(usd) }),
      ),
    'prices of models, by provider/model, in USD per million tokens; they win over the shipped table',
    { from: 'user', mayChange: true },
  ),
  trustedProjects: setting(
    () => z.array(z.string()),
    'project folders whose rlm.config.json may also set user-only settings, such as ollama.host',
    { from: 'user', mayChange: true },
  ),
};
