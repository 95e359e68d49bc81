/** Lets a model read the pages that are pictures, before the text of a run is searched. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findAbove, findGlobal } from '../base/find-package.ts';
import { mapConcurrent } from '../base/map-concurrent.ts';
import { sha256 } from '../base/sha256.ts';
import { counted, listed } from '../base/text.ts';
import { now } from '../base/time.ts';
import { packageRoot } from '../config/folders.ts';
import type { Settings } from '../config/settings.ts';
import { kindOf, RlmError } from '../errors.ts';
import type { Inputs, PendingScans } from '../inputs/gather-inputs.ts';
import {
  type ForeseenPages,
  joinPages,
  pageName,
  picturedPages,
  type Scan,
  type ScanReader,
  unreadNote,
} from '../inputs/pictures.ts';
import { pictureOf } from '../inputs/read-pages.ts';
import { transcriptIn } from '../prompts/scan.ts';
import { worstCase } from '../run/door/asked.ts';
import type { Spending } from '../run/door/budget.ts';
import { modelName, type Roster } from '../run/roster.ts';
import type { RunCalls } from '../run/start.ts';
import { findModel } from './models/choose-models.ts';
import { type Chosen, type ChosenModels, isPassedOver } from './models/choose-provider.ts';
import type { RunPlan } from './run-plan.ts';

/** Maximum number of tokens of the prompt without the picture. */
const promptTokens = 1_000;

/** The largest share of a run's limits that reading pages may use. */
const share = 0.5;

/** Estimates how many pages the limits allow, and their highest cost. Assumes that each page has the largest size. */
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

type PageToRead = ReturnType<typeof pagesOf>[number];

function pagesOf(scan: Scan) {
  const hash = sha256(scan.bytes, 32);
  return picturedPages(scan).map((page) => ({ scan, page, hash }));
}

function outOfShare(code: 'limit-calls' | 'limit-time', pages: number, unread: number, { budget }: Settings): RlmError {
  const more = code === 'limit-time' ? `--timeout ${budget.timeout * 2}` : `--max-calls ${2 * pages + 10}`;
  const others = budget.maxCost !== null || budget.maxTokens !== null ? ' (and raise --max-cost and --max-tokens)' : '';
  const message = `${unread} of ${counted(pages, 'page')} without text were not read: reading may use at most half of the run's limits`;
  return new RlmError(code, message, { hint: `Allow more with ${more}${others}. Pages that were read are kept.` });
}

/** Matches the message of a server that accepts no pictures, or no pictures in this format. */
const takesNone =
  /(support|accept|missing).*\b(image|vision|multimodal)|\b(image|vision|multimodal).*(support|accept|missing)/i;

/** Whether to stop after a failure, because the other pages would fail, too. */
const endsReading = (error: RlmError): boolean =>
  ['limit', 'unavailable'].includes(kindOf(error)) ||
  (error.code === 'request-refused' && takesNone.test(error.message) && !/format/i.test(error.message));

const namedPages = 3;

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

  const textOf = ({ hash, page }: PageToRead): string | null => texts.get(`${hash}-${page}`) ?? null;

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
    textOf,
    failure: () => failure,
    /** Returns the error of the limit that left pages unread; null if no limit did. */
    left(pages: readonly PageToRead[], allowed: number): RlmError | null {
      const unread = pages.filter((one) => textOf(one) === null).length;
      if (ended === 'late') return outOfShare('limit-time', pages.length, unread, settings);
      if (ended !== null && kindOf(ended) === 'limit') return ended;
      return allowed < pages.length ? outOfShare('limit-calls', pages.length, unread, settings) : null;
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
 * @returns the error of the limit that left pages unread; null if no limit did.
 * @throws RlmError `call-not-recorded`; an interruption; if there is no text at all, the error of the limit, the first
 *   failure or `input-empty`.
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
  // Reads one page alone first, to find out whether the server accepts pictures.
  const [first, ...others] = pages.flat().slice(0, allowed);
  if (first !== undefined) await reader.read(first);
  await mapConcurrent(others, info.callsToTry ?? info.callsAtOnce, signal, reader.read);
  for (const [index, scan] of scans.entries()) {
    const read = new Map(pages[index]!.map((one) => [one.page, reader.textOf(one)]));
    const texts = scan.pages.map((text, at) => text ?? read.get(at + 1) ?? null);
    const isPicture = scan.pages.length === 1 && scan.format !== 'application/pdf';
    const { skipped } = await write(scan.name, isPicture ? (texts[0] ?? '') : joinPages(texts));
    if (skipped.length > 0 && !texts.includes(null))
      events.warn('unread', `the pictures of '${scan.name}' show no text`);
  }
  for (const warning of reader.warnings()) events.warn('unread', warning);
  events.emit({ type: 'stage.completed', stage: 'transcription', timeMs: Math.round(now() - startedAt) });
  const left = reader.left(pages.flat(), allowed);
  if (store.documents.length > 0) return left;
  throw left ?? reader.failure() ?? new RlmError('input-empty', 'the pictures show no text', { hint: 'Add a text.' });
}

/** The library that renders pages of PDFs. It does not ship with this program. */
const library = '@hyzyla/pdfium';
const installation = `npm i -g ${library}@2.1.13`;

/** Returns the library's address. Does not search the working folder, because others may control its content. */
async function findLibrary(signal: AbortSignal): Promise<string | null> {
  const folder = findAbove(library, packageRoot) ?? (await findGlobal(library, signal));
  return folder && pathToFileURL(join(folder, 'dist', 'index.esm.js')).href;
}

function withVision(chosen: ChosenModels, reference: string, vision: Chosen): ChosenModels {
  const model = chosen.models.find((one) => modelName(one) === modelName(vision)) ?? vision;
  const { routes = [], fallbacks = [], models = {} } = chosen.routing ?? {};
  const isOwn = chosen.models.includes(model);
  return {
    models: isOwn ? chosen.models : [...chosen.models, model],
    warnings: isOwn ? chosen.warnings : [...chosen.warnings, ...model.warnings],
    modelsFor: (prompt, depth) => (prompt === 'transcribe' ? [model] : chosen.modelsFor(prompt, depth)),
    routing: {
      routes: [{ models: { transcribe: reference }, recursive: null }, ...routes],
      fallbacks,
      models: { ...models, [reference]: { provider: model.provider.name, model: model.info } },
    },
  };
}

/**
 * Returns the models if the model for the prompt `transcribe` reads pictures; else null. If the server does not say
 * whether this model reads pictures, returns the models only if the user named this model for this prompt.
 */
function ownVision(chosen: ChosenModels): ChosenModels | null {
  const isNamed = chosen.routing?.routes.some(({ models }) => models['transcribe'] !== undefined) ?? false;
  const { vision = isNamed } = chosen.modelsFor('transcribe', 0)[0]!.info;
  return vision ? chosen : null;
}

async function namedVision(plan: RunPlan, chosen: ChosenModels, signal: AbortSignal): Promise<ChosenModels> {
  const { configuration, provider: main, providers: named = {} } = plan;
  const { visionModel } = configuration.settings;
  const vision = await findModel(configuration, { main, named }, visionModel, signal).catch((error: unknown) => {
    if (!(error instanceof RlmError) || !isPassedOver(error)) throw error;
    const message = `the model ${visionModel} (--vision-model) cannot be used: ${error.message}`;
    throw new RlmError(error.code, message, {
      hint: `${error.hint}; or, without pictures: --vision-model off`,
      cause: error,
    });
  });
  if (vision.info.vision !== false) return withVision(chosen, visionModel, vision);
  throw new RlmError('config-invalid', `${visionModel} (--vision-model) reads no pictures`, {
    hint: 'Name a model that reads pictures, such as ollama/qwen2.5vl:7b, or leave pictures unread: --vision-model off',
  });
}

/**
 * Determines how a run reads pages that are pictures.
 * @param choosing the models of the run.
 * @returns `reading`: the reader of pages, for the inputs; `models`: the run's models and the model for pictures;
 *   `library`: the address of the library that renders pages of PDFs, or null.
 */
export function createVision(plan: RunPlan, choosing: Promise<ChosenModels>, signal: AbortSignal) {
  const { settings } = plan.configuration;
  const isReplayed = plan.replay !== null && plan.record === null;
  let found: Promise<ChosenModels | null> | null = null;
  let rendering: Promise<string | null> | null = null;
  const find = () => {
    found ??= choosing.then((chosen) =>
      settings.visionModel === 'auto' || isReplayed ? ownVision(chosen) : namedVision(plan, chosen, signal),
    );
    return found;
  };
  const advice = {
    model: 'a vision model reads such pages: ollama pull qwen2.5vl:7b, then add --vision-model ollama/qwen2.5vl:7b',
    library: `a model can read them after you install the library that renders pages (11 MB): ${installation}`,
  };
  let lacks: keyof typeof advice = 'model';
  const reading: ScanReader = {
    async prepare(scan, during) {
      if ((await find()) === null) return null;
      if (scan.format !== 'application/pdf') return scan;
      rendering ??= findLibrary(during);
      const address = await rendering;
      lacks = 'library';
      if (address === null) return null;
      const { withoutBlankPages } = await import('../inputs/read-pages.ts');
      return withoutBlankPages(scan, address, { timeoutMs: settings.inputs.readTimeout * 1000, signal: during });
    },
    note: (pages) => unreadNote(pages, advice[lacks]),
  };
  return { find, reading, models: async () => (await found) ?? choosing, library: async () => rendering };
}
