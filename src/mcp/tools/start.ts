import * as z from 'zod/mini';
import { type GivenQuestion, questionInput, toAsked } from '../asking/question.ts';
import { mcpTool } from '../tool.ts';

const output = z.object({ run_id: z.string(), status: z.literal('running') });

export const startTool = mcpTool<GivenQuestion, z.infer<typeof output>>({
  name: 'rlm_start',
  title: 'Start a long question',
  about:
    'Starts a run like rlm_ask and returns its id at once; poll rlm_result with the id. The run continues after this connection ends, and rlm_result resumes it after a restart of the server.',
  input: questionInput,
  output,
  isReadOnly: false,
  isIdempotent: false,
  asksModel: true,
  async run(given, call) {
    return { run_id: await call.world.asking.start(await toAsked(given, call)), status: 'running' };
  },
});
