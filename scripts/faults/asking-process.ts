/**
 * Asks the questions from its parent concurrently, and reports the outcome of each. Its stdout must stay empty.
 */
import { ask, RlmError } from '../../src/index.ts';

/** A question to a server with a fault. */
export interface Job {
  readonly id: number;
  readonly settings: Record<string, unknown>;
  readonly env: Record<string, string>;
}

/** The outcome of a question. */
export interface Outcome {
  readonly id: number;
  /** `answered`, or the code of the error. */
  readonly code: string;
  readonly answer: string | null;
  readonly retries: number;
  readonly timeMs: number;
}

const text = 'The pool was lowered from 40 to 4 by release 4.2.\n';

async function runJob({ id, settings, env }: Job): Promise<Outcome> {
  const startedAt = performance.now();
  const end = (code: string, answer: string | null, retries: number): Outcome => ({
    id,
    code,
    answer,
    retries,
    timeMs: performance.now() - startedAt,
  });
  try {
    const given = { settings, env, documents: [{ name: 'notes.md', text }] } as never;
    const { status, answer, error, usage } = await ask('How large is the pool?', given);
    return end(status === 'answered' ? 'answered' : (error?.code ?? status), answer, usage.retries);
  } catch (error) {
    return end(error instanceof RlmError ? error.code : `thrown: ${error}`, null, 0);
  }
}

process.on('message', (job: Job) => {
  void runJob(job).then((outcome) => process.send!(outcome));
});
