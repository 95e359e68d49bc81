/** The composition root: settings, a provider and inputs become a run. Only this file names a concrete retriever. */
import type { Chosen } from './choose-provider.ts';
import type { Settings } from './config/settings.ts';
import type { Document } from './context/document.ts';
import type { Inputs } from './context/gather-inputs.ts';
import { createContextStore } from './context/store.ts';
import { RlmError } from './errors.ts';
import { loadTemplates, type Templates } from './prompts/template.ts';
import type { ModelInfo } from './providers/provider.ts';
import { createLexicalRetriever } from './retrievers/lexical.ts';
import { createEmitter } from './run/emitter.ts';
import type { EventListener } from './run/events.ts';
import { findPrice, type KnownPrice } from './run/prices.ts';
import type { Run } from './run/run.ts';
import { newRunId } from './run/run-id.ts';
import { startRun } from './run/start.ts';
import { chooseWindow, textBytesOf, tokensOf } from './run/window.ts';
import type { TaskState } from './state.ts';

/** What to run. */
export interface RunRequest {
  readonly task: string;
  readonly settings: Settings;
  readonly chosen: Chosen;
  readonly inputs: Inputs;
  /** Null for the shipped ones. */
  readonly ownPrompts: Templates | null;
  readonly signal: AbortSignal;
  readonly listeners: readonly EventListener[];
  /** Noticed before the run, such as an unknown variable. */
  readonly warnings: readonly string[];
}

/** A run that is ready to go. */
export interface CreatedRun {
  readonly run: Run;
  readonly state: TaskState;
  readonly provider: string;
  readonly model: string;
  close(): void;
}

function checkText(chosen: Chosen, documents: readonly Document[]): void {
  if (documents.length > 0 || chosen.info.answersWithoutText) return;
  const { provider, missing } = chosen;
  const why = missing ? `no language model to ask: ${missing.message}` : `${provider.name} answers only from text`;
  const hint = 'Name files (rlm ask "…" notes.md src/) or pipe text in (cat build.log | rlm ask "…").';
  throw new RlmError('no-text', `there is no text to search, and ${why}`, {
    hint: missing ? `${hint} Or for a model: ${missing.hint}` : hint,
  });
}

function checkTaskFits(task: string, info: ModelInfo, settings: Settings): void {
  const window = Math.min(info.maxWindowTokens, settings.context.maxWindowTokens);
  const tokens = tokensOf(Buffer.byteLength(task));
  if (tokens <= window / 4) return;
  throw new RlmError('input-too-large', `the question has about ${tokens} tokens; the model's window has ${window}`, {
    hint: 'Put the long text into a file or pipe it in, and ask a short question about it.',
  });
}

/** A limit on money that cannot be counted would be none. */
function checkPriceKnown(known: KnownPrice | null, provider: string, { model }: ModelInfo, { budget }: Settings): void {
  if (known !== null || budget.maxCost === null) return;
  const name = `${provider}/${model}`;
  throw new RlmError('config-invalid', `the price of ${name} is not known, so a limit on money cannot be kept`, {
    hint: `Set it in your own configuration: "prices": {"${name}": {"input": 1, "output": 5}} (USD per million tokens).`,
  });
}

/**
 * Makes a run of a provider that can serve and the inputs.
 * @throws RlmError when there is no text where text is needed, when the question is too long, or a prompt file is wrong.
 */
export async function createRun(request: RunRequest): Promise<CreatedRun> {
  const { task, settings, chosen, inputs, signal } = request;
  const { documents } = inputs;
  checkText(chosen, documents);
  checkTaskFits(task, chosen.info, settings);
  const templates = request.ownPrompts ?? (await loadTemplates(null));

  const { provider, info } = chosen;
  const known = await findPrice(provider.name, info, settings.prices);
  checkPriceKnown(known, provider.name, info, settings);
  const store = createContextStore(documents, { chunkBytes: settings.context.chunkBytes });
  const window = chooseWindow(textBytesOf(store), Buffer.byteLength(task), info.maxWindowTokens, settings);
  const id = newRunId();
  const emit = createEmitter(id, request.listeners);
  const { fits } = window;
  emit({
    type: 'run.started',
    task,
    provider: provider.name,
    model: info.model,
    documents: documents.length,
    bytes: store.totalBytes,
    fits,
  });
  for (const message of [...request.warnings, ...inputs.warnings, ...chosen.warnings])
    emit({ type: 'warning', message });
  const retriever = createLexicalRetriever(store);
  const started = startRun({
    id,
    settings,
    store,
    retriever,
    provider,
    info,
    price: known?.price ?? null,
    templates,
    window,
    archives: [],
    usedMs: 0,
    signal,
    emit,
  });
  return { ...started, state: { task, documents: store.documents }, provider: provider.name, model: info.model };
}
