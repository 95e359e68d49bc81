import * as z from 'zod/mini';
import { onOff, setting, whole } from './kinds.ts';

/** When a stage makes its call. */
const when = () => z.enum(['auto', 'always', 'never']);

/** Which calls of the stages are made, and which optional stages there are. */
export const stages = {
  planner: setting(
    when,
    'when the planner is asked: auto (of a question with parts whose text does not fit one prompt, by a model that is large enough to plan), always, never',
    { env: ['RLM_PLANNER'] },
  ),
  critic: setting(
    when,
    'when the critic is asked: auto (where the check of an answer by code leaves a doubt, and the model is large enough to judge), always, never',
    { env: ['RLM_CRITIC'] },
  ),
  toolExecutor: setting(
    onOff,
    'run what the answer still asks for ([calculate: 17*23], [check: notes.md:10-20]), sums that it claims and code whose result it tells, and let the model revise it once',
    { env: ['RLM_TOOL_EXECUTOR'] },
  ),
};

/** What the questions below the root are given. */
export const reasoner = {
  childTools: setting(
    () => z.enum(['off', 'passages', 'full']),
    'how a part of a question gets its passages: off (only what was found for the question above), passages (its own search), full (its own search, and further ones that the model asks for; a sub-query of explore explores, too)',
    { env: ['RLM_CHILD_TOOLS'], flag: '--child-tools <which>' },
  ),
  fullToolsDepth: setting(
    whole(1, 5),
    'down to which depth reasoner.childTools may be full, 1–5; below that it is passages',
    { env: ['RLM_FULL_TOOLS_DEPTH'] },
  ),
};
