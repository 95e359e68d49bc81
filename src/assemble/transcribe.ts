/** Has a model read the pages that are pictures, before the text of a run is searched. */
import { createHash } from 'node:crypto';
import { mapConcurrent } from '../base/map-concurrent.ts';
import { counted, listed } from '../base/text.ts';
import { now } from '../base/time.ts';
import type { Settings } from '../config/settings.ts';
import { kindOf, RlmError } from '../errors.ts';
import type { Inputs, PendingScans } from '../inputs/gather-inputs.ts';
import { type ForeseenPages, joinPages, pageName, picturedPages, type Scan } from '../inputs/pictures.ts';
import { pictureOf } from '../inputs/read-pages.ts';
import { transcriptIn } from '../prompts/scan.ts';
import { worstCase } from '../run/door/asked.ts';
import type { Spending } from '../run/door/budget.ts';
import type { Roster } from '../run/roster.ts';
import type { RunCalls } from '../run/start.ts';

/** The prompt without the picture, in tokens, at most. */
const promptTokens = 1_000;

/** The share of a run's limits that reading pages takes at most: the rest is for the question. */
const share = 0.5;

/** Foresees the reading of all pages, at their largest. */
export function foreseePages(scans: readonly Scan[], roster: Roster, settings: Settings): ForeseenPages {
  const model = roster.modelsFor('transcribe', '0')[0]!;
  const pages = scans.reduce((sum, scan) => sum + picturedPages(scan).length, 0);
  const tokens = Math.max(0, ...scans.map((scan) => scan.tokens)) + promptTokens;
  const one: Spending = worstCase(model, settings, tokens, 2 * settings.reply.maxTokens);
  const { maxCalls, maxTokens, maxCost } = settings.budget;
  const within = (limit: number | null, each: number) =>
    limit === null || each === 0 ? pages : Math.floor((limit * share) / each);
  const allowed = Math.min(pages, within(maxCalls, 1), within(maxTokens, one.tokens), within(maxCost, one.usd));
  const usd = model.price === null && model.info.spends === 'money' ? null : allowed * one.usd;
  return { pages, allowed, most: { tokens: allowed * one.tokens, usd } };
}

interface PageToRead {
  readonly scan: Scan;
  readonly page: number;
  readonly hash: string;
}

function pagesOf(scan: Scan): PageToRead[] {
  const hash = createHash('sha256').update(scan.bytes).digest('hex').slice(0, 32);
  return picturedPages(scan).map((page) => ({ scan, page, hash }));
}

function outOfShare(code: 'limit-calls' | 'limit-time', pages: number, unread: number, { budget }: Settings): RlmError {
  const more = code === 'limit-time' ? `--timeout ${budget.timeout * 2}` : `--max-calls ${2 * pages + 10}`;
  const others = budget.maxCost !== null || budget.maxTokens !== null ? ' (and raise --max-cost and --max-tokens)' : '';
  const message = `${unread} of ${counted(pages, 'page')} without text were not read: reading them may take half of the run's limits`;
  return new RlmError(code, message, { hint: `Allow more with ${more}${others}. What was read is kept.` });
}

/** The words of a server that takes no pictures at all; one that cannot read a format says that. */
const takesNone =
  /(support|accept|missing).*\b(image|vision|multimodal)|\b(image|vision|multimodal).*(support|accept|missing)/i;

/** Whether no other page is read after a failure: it would be refused as well. */
const endsReading = (error: RlmError): boolean =>
  ['limit', 'unavailable'].includes(kindOf(error)) ||
  (error.code === 'request-refused' && takesNone.test(error.message) && !/format/i.test(error.message));

const namedPages = 3;

/** Reads pages through the door of the run, and collects what could not be read. */
function createReader(calls: RunCalls, library: string | null) {
  const { ask, settings, budget, signal } = calls;
  const half = settings.budget.timeout * 1_000 * share;
  const limits = { timeoutMs: settings.inputs.readTimeout * 1_000, signal };
  const texts = new Map<string, string>();
  const failed = new Map<string, string[]>();
  let failure: RlmError | null = null;
  let ended: 'late' | RlmError | null = null;

  function fail(error: unknown, { scan, page }: PageToRead): void {
    if (!(error instanceof RlmError) || kindOf(error) === 'interruption' || error.code === 'call-not-recorded')
      throw error;
    failure ??= error;
    if (endsReading(error)) ended ??= error;
    failed.set(error.message, [...(failed.get(error.message) ?? []), pageName(scan, page)]);
  }

  return {
    async read(one: PageToRead): Promise<void> {
      if (budget.timeLeftMs('kept') < half) ended ??= 'late';
      if (ended !== null) return;
      const picture = pictureOf(one.scan, one.page, one.hash, library, limits);
      try {
        const place = { path: 'transcription', share: 'ordinary', part: picture.hash } as const;
        texts.set(picture.hash, transcriptIn((await ask('transcribe', { picture }, place)).reply));
      } catch (error) {
        fail(error, one);
      }
    },
    textOf: ({ hash, page }: PageToRead): string | null => texts.get(`${hash}-${page}`) ?? null,
    failure: () => failure,
    /** Why pages were left out for a limit; null: none was. */
    left(pages: number, allowed: number): RlmError | null {
      const unread = pages - texts.size;
      if (ended === 'late') return outOfShare('limit-time', pages, unread, settings);
      if (ended !== null && kindOf(ended) === 'limit') return ended;
      return allowed < pages ? outOfShare('limit-calls', pages, unread, settings) : null;
    },
    warnings: () =>
      [...failed].map(
        ([why, names]) => `not read: ${listed(names.slice(0, namedPages), names.length - namedPages, 'page')}: ${why}`,
      ),
  };
}

/**
 * Reads the pages of documents and writes the documents into the store, in order. A page that cannot be read is left
 * out, with a warning.
 * @returns why pages are left out for a limit; null: none is.
 * @throws RlmError the first failure where there is no text at all; an interruption.
 */
export async function transcribeScans(
  { store, pending: { scans, write } }: Pick<Inputs, 'store'> & { readonly pending: PendingScans },
  library: string | null,
  calls: RunCalls,
): Promise<RlmError | null> {
  const { settings, roster, events, signal } = calls;
  const { info } = roster.modelsFor('transcribe', '0')[0]!;
  const pages = scans.map(pagesOf);
  const { allowed } = foreseePages(scans, roster, settings);
  events.emit({ type: 'stage.started', stage: 'transcription' });
  const startedAt = now();
  const reader = createReader(calls, library);
  // One alone shows whether the server takes pictures.
  const [first, ...others] = pages.flat().slice(0, allowed);
  if (first !== undefined) await reader.read(first);
  await mapConcurrent(others, info.callsToTry ?? info.callsAtOnce, signal, reader.read);
  for (const [index, scan] of scans.entries()) {
    const read = new Map(pages[index]!.map((one) => [one.page, reader.textOf(one)]));
    const texts = scan.pages.map((text, at) => text ?? read.get(at + 1) ?? null);
    const isPicture = scan.pages.length === 1 && scan.format !== 'application/pdf';
    const { skipped } = await write(scan.name, isPicture ? (texts[0] ?? '') : joinPages(texts));
    if (skipped.length > 0 && !texts.includes(null)) events.warn(`the pictures of '${scan.name}' show no text`);
  }
  for (const warning of reader.warnings()) events.warn(warning);
  events.emit({ type: 'stage.completed', stage: 'transcription', timeMs: Math.round(now() - startedAt) });
  const left = reader.left(pages.flat().length, allowed);
  if (store.documents.length > 0) return left;
  throw left ?? reader.failure() ?? new RlmError('input-empty', 'the pictures show no text', { hint: 'Give others.' });
}
