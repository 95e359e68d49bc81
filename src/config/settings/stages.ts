import * as z from 'zod/mini';
import { setting, whole } from './kinds.ts';

/** When a stage makes its call. */
const when = () => z.enum(['auto', 'always', 'never']);

/** When the stages call a model. */
export const stages = {
  planner: setting(
    when,
    'when to call the planner: always, or auto and never (what a first look at the text leaves open is the plan)',
    { env: ['RLM_PLANNER'] },
  ),
  critic: setting(
    when,
    'when to call the critic: auto (as evidence.check says, if the model is large enough to judge), always, never',
    { env: ['RLM_CRITIC'] },
  ),
};

/** What sub-questions may use. */
export const reasoner = {
  childTools: setting(
    () => z.enum(['off', 'passages', 'full']),
    "passages for sub-questions: off (inherit the parent's), passages (one search of their own), full (their own search and further searches that the model requests; a sub-query of explore also explores)",
    { env: ['RLM_CHILD_TOOLS'], flag: '--child-tools <which>' },
  ),
  fullToolsDepth: setting(
    whole(1, 5),
    'greatest depth at which reasoner.childTools may be full, 1–5; at greater depths it is passages',
    { env: ['RLM_FULL_TOOLS_DEPTH'] },
  ),
};
