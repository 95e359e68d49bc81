import * as z from 'zod/mini';
import { setting } from './kinds.ts';

/** Settings without a flag or variable. They are set in the user's file. */
export const userFile = {
  prices: setting(
    () => z.record(z.string(), z.object({ input: z.number().check(z.gte(0)), output: z.number().check(z.gte(0)) })),
    'prices of models, by provider/model, in USD per million tokens; they win over the shipped table',
    { from: 'user', mayChange: true },
  ),
  trustedProjects: setting(
    () => z.array(z.string()),
    'project folders whose rlm.config.json may also set user-only settings, such as ollama.host',
    { from: 'user', mayChange: true },
  ),
};
