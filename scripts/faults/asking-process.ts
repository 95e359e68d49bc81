/**
 * Asks what its parent tells it to, many questions at once, and says what came of each. Nothing may be on its stdout.
 */
import { ask, RlmError } from '../../src/index.ts';

/** A question to a server that goes wrong. */
export interface Job {
  readonly id: number;
  readonly settings: Record<string, unknown>;
  readonly env: Record<string, string>;
}

/** What came of it. */
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
