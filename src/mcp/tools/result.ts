import * as z from 'zod/mini';
import { answerSchema, answerText, toAnswer } from '../asking/answers.ts';
import { whole, words } from '../parameters.ts';
import { mcpTool } from '../tool.ts';

const input = z.object({
  run_id: words('The id that rlm_start returned, or that an answer names.'),
  wait_seconds: z._default(whole(0, 50, 'How long to wait for the end, at most.'), 20),
});

const output = z.object({
  run_id: z.string(),
  status: z.enum(['running', 'ended']),
  calls: z.number(),
  doing: z.string(),
  result: z.nullable(answerSchema),
});

type Found = z.infer<typeof output>;

export const resultTool = mcpTool<z.infer<typeof input>, Found>({
  name: 'rlm_result',
  title: 'Get the result of a started question',
  about:
    'Returns the answer of a run that rlm_start has started, or says that it still runs. A run that was cut short is gone on with, from what it has paid for already.',
  input,
  output,
  isReadOnly: false,
  isIdempotent: true,
  asksModel: true,
  async run({ run_id: runId, wait_seconds: wait }, { world, signal }) {
    const { status, calls, doing, result } = await world.asking.result(runId, wait * 1000, signal);
    return { run_id: runId, status, calls, doing, result: result === null ? null : toAnswer(result) };
  },
  toText: ({ run_id: runId, calls, doing, result }) =>
    result === null
      ? `Run ${runId} still runs (calls so far: ${calls}; now: ${doing}). Call rlm_result again.`
      : answerText(result),
});
