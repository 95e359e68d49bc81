import * as z from 'zod/mini';
import { listRuns, showRun } from '../../api/runs/runs.ts';
import { answerSchema, toAnswer } from '../asking/answers.ts';
import { wholeNumber, words } from '../parameters.ts';
import { mcpTool } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

const input = z.object({
  run_id: z.optional(words('A run to show with its answer; default: list the newest runs.')),
  limit: z._default(wholeNumber(1, 100, 'Maximum number of runs to list.'), 20),
});

const output = z.object({
  runs: z.array(
    z.object({
      run_id: z.string(),
      at: z.nullable(z.string()),
      status: z.string(),
      question: z.nullable(z.string()),
      confidence: z.nullable(z.number()),
      resumable: z.boolean(),
    }),
  ),
  result: z.nullable(answerSchema),
});

export const runsTool = mcpTool<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'rlm_runs',
  title: 'List or show runs',
  about: "Lists the recorded runs of this server's working folder, or shows the answer of one run.",
  input,
  output,
  isReadOnly: true,
  isIdempotent: true,
  asksModel: false,
  async run({ run_id: runId, limit }) {
    const own = (await listRuns()).filter(({ cwd }) => cwd === process.cwd());
    const listed = runId === undefined ? own.slice(0, limit) : own.filter((run) => run.runId === runId);
    if (runId !== undefined && listed.length === 0)
      throw new ToolFailure('run_not_found', `Run '${runId.slice(0, 100)}' not found.`);
    const shown = runId === undefined ? null : (await showRun(runId)).result;
    return {
      runs: listed.map(({ runId: id, at, status, task, confidence, resumable }) => ({
        run_id: id,
        at,
        status,
        question: task,
        confidence,
        resumable,
      })),
      result: shown === null ? null : toAnswer(shown),
    };
  },
});
