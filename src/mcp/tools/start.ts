import * as z from 'zod/mini';
import { type GivenQuestion, questionInput, toAsked } from '../asking/question.ts';
import { mcpTool } from '../tool.ts';

const output = z.object({ run_id: z.string(), status: z.literal('running') });

export const startTool = mcpTool<GivenQuestion, z.infer<typeof output>>({
  name: 'rlm_start',
  title: 'Start a long question',
  about:
    'Starts what rlm_ask does and returns the id of the run at once; then poll rlm_result with it. The run goes on when this connection ends, and after a restart of the server.',
  input: questionInput,
  output,
  isReadOnly: false,
  isIdempotent: false,
  asksModel: true,
  async run(given, call) {
    return { run_id: await call.world.asking.start(await toAsked(given, call)), status: 'running' };
  },
});
