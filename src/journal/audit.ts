import { mkdtemp, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../base/files/replace-file.ts';
import { errnoOf, makeFolder, systemDetail } from '../base/files/system.ts';
import { RlmError, tooManyFiles } from '../errors.ts';
import type { Result } from '../result.ts';
import type { RunEvent } from '../run/events.ts';
import { newRunId } from '../run/run-events.ts';
import type { Citation, TreeNode } from '../state.ts';

/** Fields of a step without cost. All names in an audit file are fixed, because other programs read the file. */
const noCost = { input_tokens: 0, output_tokens: 0, wall_time_seconds: 0, error: null };

function stepOf(event: RunEvent): object | null {
  if (event.type === 'call.completed') {
    const { path, prompt, from, tokens, timeMs } = event;
    const cost = { input_tokens: tokens.input, output_tokens: tokens.output, wall_time_seconds: timeMs / 1000 };
    return { kind: 'call', path, prompt, from, ...cost, error: null };
  }
  if (event.type === 'call.reused') {
    const { path, prompt, from } = event;
    return { kind: 'cached', path, prompt, from, ...noCost };
  }
  if (event.type === 'tool.called') {
    const { path, tool: name, arguments: given, outcome, result } = event;
    const [prompt, from] = [name === 'code' ? 'repl' : 'explore', outcome === 'same' ? 'run' : 'tool'];
    const error = outcome === 'wrong' ? result : null;
    return { kind: 'tool', path, prompt, from, ...noCost, error, tool: { name, arguments: given, result } };
  }
  if (event.type !== 'call.failed') return null;
  const { path, prompt, timeMs, error } = event;
  const [wall_time_seconds, message] = [timeMs / 1000, error.message];
  return { kind: 'failed', path, prompt, from: 'model', ...noCost, wall_time_seconds, error: message };
}

const findingsIn = (node: TreeNode): object[] => [
  { path: node.path, question: node.question, answer: node.answer, status: node.status },
  ...node.children.flatMap(findingsIn),
];

function citationOf({ number, source, startLine: start_line, endLine: end_line, hash, quote }: Citation) {
  return { number, source, start_line, end_line, content_hash: hash, quote };
}

function auditOf(result: Result, taskId: string, startedAt: string, steps: readonly object[]): object {
  const { usage, recursionTree, citations, task, status, error } = result;
  const { tokens, wallTimeMs, subCalls, cacheHits } = usage;
  return {
    ...{ task_id: taskId, query: task, start_time: startedAt, end_time: new Date().toISOString(), status },
    error: error && { code: error.code, message: error.message },
    trajectory: { steps, total_subcalls: subCalls, cached_hits: cacheHits },
    findings: recursionTree ? findingsIn(recursionTree) : [],
    citations: citations.map(citationOf),
    usage: {
      subcall_count: subCalls,
      total_tokens: tokens.input + tokens.output,
      wall_time_seconds: wallTimeMs / 1000,
    },
  };
}

const whyNot = (error: unknown): string => (errnoOf(error) === 'EEXIST' ? 'it is not a folder' : systemDetail(error));

/** Creates the folder, and checks that it is writable. A new folder gets a `.rlmignore`, so that no run reads it. */
async function openFolder(folder: string): Promise<void> {
  try {
    const made = makeFolder(folder, 0o777);
    if (made !== null) await writeFile(join(made, '.rlmignore'), '*\n');
    await rmdir(await mkdtemp(join(folder, '.rlm-')));
  } catch (error) {
    const message = `no audit file can be written in ${folder}: ${whyNot(error)}`;
    const hint = 'Name another folder with RLM_AUDIT_DIR (setting audit).';
    throw tooManyFiles(error) ?? new RlmError('output-unwritable', message, { hint });
  }
}

export type Audit = Awaited<ReturnType<typeof createAudit>>;

/** Prepares the audit file, which is written at the run's end. Throws `output-unwritable` before anything is spent. */
export async function createAudit(folder: string) {
  await openFolder(folder);
  const startedAt = new Date().toISOString();
  const steps: object[] = [];
  return {
    onEvent(event: RunEvent): void {
      const step = stepOf(event);
      if (step) steps.push({ step: steps.length + 1, time: event.at, ...step });
    },
    /** Throws RlmError `output-unwritable`. */
    async write(result: Result): Promise<void> {
      const taskId = result.runId ?? newRunId();
      const audit = auditOf(result, taskId, startedAt, steps);
      await replaceFile(join(folder, `${taskId}.json`), `${JSON.stringify(audit, null, 2)}\n`);
    },
  };
}
