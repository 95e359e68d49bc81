import { resolve } from 'node:path';
import { type AskOptions, checkQuestion, configure } from '../assemble/ask-options.ts';
import { checkOptions } from '../assemble/check-options.ts';
import type { Keeping } from '../assemble/open-archives.ts';
import { folderOf } from '../assemble/opened-text.ts';
import { isSameFile } from '../base/same-file.ts';
import { RlmError } from '../errors.ts';
import type { Result } from '../result.ts';
import { carryOut, type Procedure } from './carry-out.ts';

/**
 * Where the run's calls come from and go to. What could not be kept, or read, is found out before anything is spent.
 */
async function openKeeping(options: AskOptions, cwd: string): Promise<Keeping> {
  const { record, replay, resumable = false, env = process.env } = options;
  // What a recording replies costs nothing, and need not be kept twice.
  const journal = { kind: resumable && replay === undefined ? 'new' : 'none' } as const;
  const keeping = { journal, record: record === undefined ? null : resolve(cwd, record), replay: null, env };
  if (keeping.record !== null) {
    const { checkRecordable } = await import('../journal/cassette.ts');
    await checkRecordable(keeping.record);
  }
  if (replay === undefined) return keeping;
  const { readCassette } = await import('../journal/cassette.ts');
  const path = resolve(cwd, replay);
  return { ...keeping, replay: { path, cassette: await readCassette(path) } };
}

/**
 * The recording and what else the run writes must be different files: the last to be written would be all that is
 * left.
 */
function checkDistinct({ record, replay, written = [] }: AskOptions, cwd: string): void {
  const recording = record ?? replay;
  if (recording === undefined) return;
  const flag = record === undefined ? 'replay' : 'record';
  const taken = written.find((path) => isSameFile(resolve(cwd, path), resolve(cwd, recording)));
  if (taken === undefined) return;
  throw new RlmError(
    'usage',
    `'${taken}' is the recording (--${flag}), and is to be written besides (-o, --log-file)`,
    {
      hint: 'Name different files.',
    },
  );
}

/**
 * Asks a question, about text where some is given, and resolves to the answer with its evidence.
 *
 * A run that fails, is cut short by a limit, or is cancelled resolves too: `status` and `error` say what happened.
 * @throws RlmError when the run cannot begin: wrong settings, no question, unusable input, no provider, a file that
 *   cannot be written or replayed, `limit-time` when `budget.timeout` is over while the text is read, or the signal
 *   aborted before that (`interrupted`, or the signal's reason where that is an RlmError).
 */
export const ask = (question: string, options: AskOptions = {}): Promise<Result> => askBy(question, options, null);

/**
 * The same, answered by another procedure than the stages.
 * @param procedure null: the stages.
 */
export async function askBy(question: string, options: AskOptions, procedure: Procedure | null): Promise<Result> {
  checkOptions('ask', options);
  const { context, record, replay, written = [] } = options;
  const cwd = options.cwd ?? (context && folderOf(context)) ?? process.cwd();
  checkQuestion(question);
  checkDistinct(options, cwd);
  const configuration = configure(options);
  const keeping = await openKeeping(options, cwd);
  // A recording is no text to ask about, whether it is written or read.
  const unread = [...written, ...[record, replay].filter((path) => path !== undefined)];
  const given = { ...options, cwd, written: unread };
  const how = procedure === null ? { configuration, keeping } : { configuration, keeping, procedure };
  if (keeping.replay === null) return carryOut(question, given, how);
  const { replayModels } = await import('../assemble/choose-models.ts');
  const lineup = replayModels(keeping.replay.cassette.run);
  return carryOut(question, given, { ...how, lineup });
}
