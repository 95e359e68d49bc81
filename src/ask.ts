import { resolve } from 'node:path';
import { type AskOptions, checkQuestion, configure } from './ask-options.ts';
import { carryOut } from './carry-out.ts';
import type { Keeping } from './open-archives.ts';
import type { Result } from './result.ts';

/** Where the run's calls come from and go to. What could not be kept, or read, is found out before anything is spent. */
async function openKeeping(options: AskOptions, cwd: string): Promise<Keeping> {
  const { record, replay, resumable = false, env = process.env } = options;
  // What a recording replies costs nothing, and need not be kept twice.
  const journal = { kind: resumable && replay === undefined ? 'new' : 'none' } as const;
  const keeping = { journal, record: record === undefined ? null : resolve(cwd, record), replay: null, env };
  if (keeping.record !== null) {
    const { checkReplaceable } = await import('./replace-file.ts');
    await checkReplaceable(keeping.record);
  }
  if (replay === undefined) return keeping;
  const { readCassette } = await import('./journal/cassette.ts');
  const path = resolve(cwd, replay);
  return { ...keeping, replay: { path, cassette: await readCassette(path) } };
}

/**
 * Asks a question, about text where some is given, and resolves to the answer with its evidence.
 *
 * A run that fails, is cut short by a limit, or is cancelled resolves too: `status` and `error` say what happened.
 * @throws RlmError when the run cannot begin: wrong settings, no question, unusable input, no provider, a file that
 *   cannot be written or replayed, or the signal aborted before that (`interrupted`, or the signal's reason where that
 *   is an RlmError).
 */
export async function ask(question: string, options: AskOptions = {}): Promise<Result> {
  const { cwd = process.cwd(), record, replay, written = [] } = options;
  checkQuestion(question);
  const configuration = configure(options);
  const keeping = await openKeeping(options, cwd);
  // A recording is no text to ask about, whether it is written or read.
  const unread = [...written, ...[record, replay].filter((path) => path !== undefined)];
  const given = { ...options, written: unread };
  if (keeping.replay === null) return carryOut(question, given, { configuration, keeping });
  const { replayModels } = await import('./choose-models.ts');
  const lineup = replayModels(keeping.replay.cassette.run);
  return carryOut(question, given, { configuration, keeping, lineup });
}
