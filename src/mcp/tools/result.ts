import * as z from 'zod/mini';
import { answerSchema, answerText, toAnswer } from '../asking/answers.ts';
import { wholeNumber, words } from '../parameters.ts';
import { mcpTool } from '../tool.ts';

const input = z.object({
  run_id: words('The id from rlm_start, or the run_id of an answer.'),
  wait_seconds: z._default(wholeNumber(0, 50, 'Maximum time to wait for the end of the run, in seconds.'), 20),
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
    'Returns the answer of a run that rlm_start started, or reports that it is still running. An interrupted run is resumed; completed model calls are not repeated.',
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
      ? `Run ${runId} is still running (calls so far: ${calls}; now: ${doing}). Call rlm_result again.`
      : answerText(result),
});
