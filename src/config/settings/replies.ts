import * as z from 'zod/mini';
import { setting, whole } from './kinds.ts';

/** How much models think. */
export const thinking = {
  reasoning: setting(
    () => z.enum(['auto', 'none', 'low', 'medium', 'high']),
    'how much a model that can think does so before it replies: auto (as it does by default; not for a piece of a scan and other short judgements), none, low, medium, high',
    { env: ['RLM_REASONING'], flag: '--reasoning <level>' },
  ),
};

/** How long a reply may be. */
export const reply = {
  maxTokens: setting(whole(64, 100_000), 'longest reply of the model, in tokens'),
};

const temperature = (of: string) =>
  setting(() => z.number().check(z.gte(0), z.lte(2)), `temperature of the ${of} prompt, 0–2`);

/** How freely a model replies to each prompt. */
export const temperatures = {
  planner: temperature('planner'),
  assess: temperature('assess'),
  decompose: temperature('decompose'),
  answer: temperature('answer'),
  scan: temperature('scan'),
  compose: temperature('compose'),
  critic: temperature('critic'),
  hop: temperature('hop'),
  answerable: temperature('answerable'),
  search: temperature('search'),
  explore: temperature('explore'),
  repl: temperature('repl'),
  conclude: temperature('conclude'),
  form: temperature('form'),
  query: temperature('query'),
  classify: temperature('classify'),
};
