import * as z from 'zod/mini';
import { showRun } from '../../api/runs/recorded-runs.ts';
import { checkDepth, questionWishes, ToolFailure, wholeNumber, words } from '../arguments.ts';
import { answerSchema, answerText, toAnswer } from '../asking/answers.ts';
import type { AskedQuestion, AskedText } from '../asking/asking.ts';
import { ownRuns } from '../resources.ts';
import { filesAt, wholeDocument } from '../text/documents.ts';
import { asking, type Call, mcpTool, reading } from '../tool.ts';

const questionInput = z.object({
  question: words('The question, in one sentence.'),
  paths: z.optional(
    z.array(z.string()).check(z.describe('Files, folders and globs under the roots that the user allows.')),
  ),
  context: z.optional(words('Name of a loaded context, instead of paths.')),
  content: z.optional(words('The text itself, if it is short, instead of paths.')),
  ...questionWishes,
});

type GivenQuestion = z.infer<typeof questionInput>;

/**
 * Passes a question with its text to `use`. By default, the text is the index; without an index, all files under the
 * roots.
 * @throws ToolFailure for a wrong depth, an unknown context, several texts, or no text; RlmError `input-missing`.
 */
async function withAsked<T>(given: GivenQuestion, call: Call, use: (asked: AskedQuestion) => Promise<T>): Promise<T> {
  const { question, paths, context, content } = given;
  const ask = (text: AskedText) => {
    checkDepth(given);
    return use({ question, text, wishes: given });
  };
  const named = [paths, context, content].filter((one) => one !== undefined);
  if (named.length > 1) throw new ToolFailure('invalid_arguments', 'Give only one of paths, context and content.');
  if (context !== undefined) return call.world.contexts.use(context, async (found) => ask(wholeDocument(found)));
  if (content !== undefined) return ask({ documents: [{ name: 'content', text: content }] });
  const { files, index } = call.world;
  if (paths === undefined && index !== null) return ask({ index });
  if (paths === undefined && files === null)
    throw new ToolFailure('no_text', 'The question has no text. Give content, a context, or paths under a root.');
  return ask({ documents: await filesAt(paths ?? files!.roots, call) });
}

export const askTool = mcpTool({
  name: 'rlm_ask',
  title: 'Ask about a large text',
  about:
    'Answers a question about files, folders or a loaded context that may be far larger than your window, with checked citations (file and lines), a computed confidence and warnings. The text does not pass through you. For runs that take more than a minute, use rlm_start and rlm_result.',
  input: questionInput,
  output: answerSchema,
  ...asking,
  run: async (given, call) =>
    toAnswer(await withAsked(given, call, (asked) => call.world.asking.ask(asked, call.signal, call.onEvent))),
  toText: answerText,
});

export const startTool = mcpTool({
  name: 'rlm_start',
  title: 'Start a long question',
  about:
    'Starts a run like rlm_ask and returns its id at once; poll rlm_result with the id. The run continues after this connection ends, and rlm_result resumes it after a restart of the server.',
  input: questionInput,
  output: z.object({ run_id: z.string(), status: z.literal('running') }),
  ...asking,
  async run(given, call) {
    const runId = await new Promise<string>((resolve, reject) => {
      withAsked(given, call, (asked) => call.world.asking.start(asked, resolve)).catch(reject);
    });
    return { run_id: runId, status: 'running' as const };
  },
});

export const resultTool = mcpTool({
  name: 'rlm_result',
  title: 'Get the result of a started question',
  about:
    'Returns the answer of a run that rlm_start started, or reports that it is still running. An interrupted run is resumed; completed model calls are not repeated.',
  input: z.object({
    run_id: words('The id from rlm_start, or the run_id of an answer.'),
    wait_seconds: z._default(wholeNumber(0, 50, 'Maximum time to wait for the end of the run, in seconds.'), 20),
  }),
  output: z.object({
    run_id: z.string(),
    status: z.enum(['running', 'ended']),
    calls: z.number(),
    doing: z.string(),
    result: z.nullable(answerSchema),
  }),
  ...asking,
  isIdempotent: true,
  async run({ run_id: runId, wait_seconds: wait }, { world, signal }) {
    const { calls, doing, result } = await world.asking.result(runId, wait * 1000, signal);
    const status = result === null ? 'running' : 'ended';
    return { run_id: runId, status, calls, doing, result: result && toAnswer(result) };
  },
  toText: ({ run_id: runId, calls, doing, result }) =>
    result === null
      ? `Run ${runId} is still running (calls so far: ${calls}; now: ${doing}). Call rlm_result again.`
      : answerText(result),
});

export const runsTool = mcpTool({
  name: 'rlm_runs',
  title: 'List or show runs',
  about: "Lists the recorded runs of this server's working folder, or shows the answer of one run.",
  input: z.object({
    run_id: z.optional(words('A run to show with its answer; default: list the newest runs.')),
    limit: z._default(wholeNumber(1, 100, 'Maximum number of runs to list.'), 20),
  }),
  output: z.object({
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
  }),
  ...reading,
  async run({ run_id: runId, limit }) {
    const own = await ownRuns();
    const listed = runId === undefined ? own.slice(0, limit) : own.filter((run) => run.runId === runId);
    if (runId !== undefined && listed.length === 0)
      throw new ToolFailure('run_not_found', `Run '${runId.slice(0, 100)}' not found.`);
    const shown = runId === undefined ? null : (await showRun(runId)).result;
    return {
      runs: listed.map(({ runId: id, at, status, task, confidence, resumable }) => ({
        run_id: id,
        question: task,
        ...{ at, status, confidence, resumable },
      })),
      result: shown && toAnswer(shown),
    };
  },
});
