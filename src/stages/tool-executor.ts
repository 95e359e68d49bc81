import { RlmError } from '../errors.ts';
import { checkCitations } from '../evidence/citations.ts';
import { markedIds } from '../evidence/marks.ts';
import { numberCitations } from '../evidence/number-citations.ts';
import type { CitedPassage } from '../prompts/reply/fields.ts';
import type { Run } from '../run/run.ts';
import { refitting } from '../run/text/refit.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import type { Executed, Passage, Reasoned, ToolUse } from '../state.ts';
import { createToolWorld, givePassages, meansOf } from '../strategies/tool-world.ts';
import { chooseTools } from '../tools/index.ts';
import { createToolbox } from '../tools/toolbox.ts';
import type { Stage } from './stage.ts';
import { findRequests, type ToolRequest } from './tool-requests.ts';

/** The tools' results, and the passages that they showed. */
interface Carried {
  readonly executions: readonly ToolUse[];
  readonly shown: readonly Passage[];
}

/** Characters of all results together: the revision has to have room for passages, too. */
const longestResults = 6_000;

/** Refuses model calls: the code of an answer may make none. */
const callsNobody = () => Promise.reject(new Error('there are no model calls here'));

async function runCode(code: string, run: Run): Promise<string> {
  const { sandbox: walls, tools } = run.settings;
  const limits = {
    turnMs: walls.turnTimeout * 1_000,
    memoryMb: walls.memory,
    calls: 1,
    outputCharacters: tools.maxCharacters,
  };
  const sandbox = createSandbox({
    source: run.text.store,
    limits,
    answer: callsNobody,
    seed: 0,
    signal: run.budget.signal,
  });
  try {
    const { output, error, final } = await sandbox.run(code);
    return [output, final, error && `Error: ${error}`].filter(Boolean).join('\n') || '(nothing was printed)';
  } finally {
    sandbox.close();
  }
}

async function useCode({ tool, arguments: given }: ToolRequest, run: Run): Promise<ToolUse> {
  return { tool, arguments: given, result: await runCode(String(given['code']), run), outcome: 'done' };
}

/** Makes the tool calls that the user allows concurrently, and then runs the code. */
async function callTools(requests: readonly ToolRequest[], run: Run): Promise<Carried> {
  const { maxCharacters, maxLines } = run.settings.tools;
  const files = await run.text.files();
  const world = createToolWorld(run, {
    files,
    bounds: { characters: Math.min(maxCharacters, longestResults), lines: maxLines },
    pieceBytes: run.models.passageBytes(),
    questions: null,
    find: async () => [],
    note: () => 'Noted.',
  });
  const shown: Passage[] = [];
  const keep = (passages: readonly Passage[]) => {
    givePassages(passages, run);
    shown.push(...passages);
  };
  const calls = requests.filter(({ tool }) => tool !== 'run_code');
  const actions = calls.map(({ tool, arguments: given }) => ({ tool, arguments: given }));
  const tools = chooseTools(await meansOf(run, files, false));
  const made = await createToolbox(tools).callAll(actions, { step: 1, firstShown: 1, world, keep });
  if (made.stopped !== null) throw made.stopped;
  const uses = new Map(calls.map((request, index) => [request, made.calls[index]!.use]));
  const executions: ToolUse[] = [];
  for (const request of requests) executions.push(uses.get(request) ?? (await useCode(request, run)));
  return { executions, shown };
}

function tell(executions: readonly ToolUse[], run: Run): void {
  for (const [index, { tool, arguments: given, outcome, result }] of executions.entries()) {
    const about = { path: 'toolExecutor', step: 1, call: index + 1, tool, arguments: given, outcome };
    run.events.emit({ type: 'tool.called', ...about, result: result.split('\n', 1)[0]!.slice(0, 300) });
  }
}

/**
 * Revises the answer with one call, given the tools' results, and checks its citations against the old and new
 * passages.
 */
async function revise(state: Reasoned, { executions: results, shown }: Carried, run: Run): Promise<Reasoned> {
  const { task: question, recursionTree: tree } = state;
  const draft = tree.answer ?? '';
  const ids = tree.citations.map(({ passage }) => passage);
  const cited = run.passages.byId([...new Set(ids.length > 0 ? ids : tree.passages.map(({ id }) => id))]);
  const taken = Buffer.byteLength(draft + JSON.stringify(results));
  const place = { path: '0', share: 'ordinary', part: 'revision' } as const;
  let passages: readonly Passage[] = [];
  const reply = await refitting(run, () => {
    passages = run.passages.fit([cited, shown.filter(({ id }) => !cited.some((one) => one.id === id))], taken);
    return run.ask('revise', { question, draft, results, passages }, place);
  });
  const marked = new Set(markedIds(reply.answer));
  const kept = tree.citations.filter(({ passage }) => marked.has(passage));
  const named: CitedPassage[] = [...reply.citations, ...kept.map(({ passage, quote }) => ({ passage, quote }))];
  const { answer, citations, problems } = checkCitations(reply.answer, named, [...cited, ...passages]);
  for (const problem of problems) run.events.warn(problem);
  const numbered = numberCitations(answer, citations);
  return {
    ...state,
    solution: numbered.answer,
    evidence: { citations: numbered.citations },
    recursionTree: { ...tree, answer, citations, ...run.events.usage.at(tree.path) },
  };
}

/**
 * Runs the tools that the answer requests, and revises it once where their results are new. A failed revision leaves
 * the answer unchanged.
 */
export const executeTools: Stage<Reasoned, Executed> = async (state, run) => {
  const requests = findRequests(state.recursionTree.answer ?? '', run.settings.budget.maxPerIteration);
  if (requests.length === 0) return { ...state, toolExecutions: [] };
  let toolExecutions: readonly ToolUse[] = [];
  try {
    const carried = await callTools(requests, run);
    toolExecutions = carried.executions;
    tell(toolExecutions, run);
    return { ...(await revise(state, carried, run)), toolExecutions };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    if (run.budget.stopped() === null) run.events.warn(`the answer was not revised: ${error.message}`);
    return { ...state, toolExecutions };
  }
};
