import { resolve } from 'node:path';
import { type AskOptions, checkOptions, dotted, type RunOptions } from '../assemble/ask-options.ts';
import { loadConfiguration } from '../config/layers.ts';
import { RlmError } from '../errors.ts';
import type { JournalContent } from '../journal/journal.ts';
import { findRun, readRun } from '../journal/runs.ts';
import type { Result } from '../result.ts';
import type { Citation, EarlierAnswer } from '../state.ts';
import { ask } from './ask.ts';
import { checkWhole, readTexts } from './resume.ts';
import { runsFolderOf } from './runs/list-runs.ts';

/**
 * As for `ask`; the text, and the folder that its paths start from, are those of the earlier run. `context` may hold
 * that text, so that it is not read again.
 */
export interface FollowUpOptions extends RunOptions, Pick<AskOptions, 'resumable' | 'context'> {
  /** Settings as given on the command line, by dotted key. */
  readonly flags?: ReadonlyMap<string, unknown>;
}

/** How many of the last answers the model is shown. */
const toldAnswers = 5;
/** How much of an answer the model is shown, in characters. */
const toldCharacters = 2_000;
const toldCitations = 5;
/** How much of a quote the model is shown, in characters. */
const toldQuoteCharacters = 200;

/** Groups of settings that decide what the text is. */
const textSettings = ['inputs.', 'context.', 'retrieval.', 'embedding.', 'tools.roots', 'visionModel'];

const shapesText = ([key]: [string, unknown]): boolean => textSettings.some((start) => key.startsWith(start));

function foundLine({ source, startLine, endLine, quote }: Citation): string {
  const words = quote?.replace(/\s+/g, ' ').slice(0, toldQuoteCharacters);
  return `   Found in ${source}, lines ${startLine}-${endLine}${words ? `: "${words}"` : ''}`;
}

/** The answer with the places that it cited, without its marks: their numbers mean other passages in the next run. */
function earlierAnswer({ run, end }: JournalContent): EarlierAnswer {
  const answer = end?.result.answer ?? null;
  if (answer === null) {
    throw new RlmError('usage', `run ${run.runId} has no answer, so it cannot have a follow-up`, {
      hint: `To continue it: rlm resume ${run.runId}`,
    });
  }
  const isForm = (end!.result.fieldCitations ?? null) !== null;
  const plain = (isForm ? answer : answer.replace(/ ?\[\d+\]/g, '')).slice(0, toldCharacters);
  const found = end!.result.citations.slice(0, toldCitations).map(foundLine);
  return { question: run.task, answer: [plain, ...found].join('\n') };
}

/** An error for a missing file that names the earlier run. */
function textGone(thrown: unknown, runId: string): unknown {
  if (!(thrown instanceof RlmError) || thrown.code !== 'input-missing') return thrown;
  return new RlmError('input-missing', `the text of run ${runId} is not there any more: ${thrown.message}`, {
    hint: 'Restore it, or ask about other text without --continue.',
  });
}

/**
 * Asks a question that follows the answer of a recorded run: about the same text, with that answer and what it cited
 * in hand. It is a run of its own, with its own budget; the settings are those in force now, but for those that
 * decide
 * what the text is.
 * @param runId the run's id or the beginning of one; null for the newest.
 * @throws RlmError `run-missing`, `run-changed` where its text was not kept, `journal-damaged`, `usage` where it
 *   has no
 *   answer, `input-missing` where its files are gone, and what `ask` throws.
 */
export async function followUp(question: string, runId: string | null, options: FollowUpOptions = {}): Promise<Result> {
  checkOptions('followUp', options);
  const {
    flags = new Map(),
    settings = {},
    env = process.env,
    cwd: here = process.cwd(),
    written = [],
    ...rest
  } = options;
  const kept = await findRun(runsFolderOf({ env, cwd: here }), runId);
  const content = await readRun(kept);
  const { run } = content;
  checkWhole(run);
  const earlier = [...(run.earlier ?? []), earlierAnswer(content)].slice(-toldAnswers);
  const given = new Map([...Object.entries(run.flags).filter(shapesText), ...flags]);
  const { cwd, paths, index } = run;
  const read = index ? { index } : { paths, documents: async () => readTexts(kept.folder, run) };
  const configuration = loadConfiguration({ flags: given, settings: new Map(dotted(settings)), env, cwd });
  return ask(question, {
    ...rest,
    ...(rest.context ? {} : read),
    written: [...written.map((path) => resolve(here, path)), ...run.written.map((path) => resolve(cwd, path))],
    earlier,
    configuration,
    cwd,
    env,
  }).catch((thrown: unknown) => {
    throw textGone(thrown, run.runId);
  });
}
