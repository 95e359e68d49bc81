/**
 * The composition root: settings become a run. Only this file names concrete providers and retrievers.
 */
import type { Settings } from './config/settings.ts';
import type { Document } from './context/document.ts';
import type { Inputs } from './context/gather-inputs.ts';
import { createContextStore } from './context/store.ts';
import { RlmError } from './errors.ts';
import { loadTemplates } from './prompts/template.ts';
import type { ModelInfo, Provider } from './providers/provider.ts';
import { createLexicalRetriever } from './retrievers/lexical.ts';
import type { EventListener } from './run/events.ts';
import type { Run } from './run/run.ts';
import { createEmitter, newRunId, startRun } from './run/start.ts';
import { chooseWindow, passageOverheadBytes, tokensOf } from './run/window.ts';
import type { TaskState } from './state.ts';

/** How each provider is made; its module is loaded when it is wanted. */
export const providers: Readonly<Record<string, (settings: Settings) => Promise<Provider>>> = {
  ollama: async ({ model, ollama }) => {
    const { createOllamaProvider } = await import('./providers/ollama.ts');
    return createOllamaProvider({ model, host: ollama.host, keepAlive: ollama.keepAlive });
  },
  extractive: async () => (await import('./providers/extractive/provider.ts')).createExtractiveProvider(),
};

/** How long `auto` waits for a sign of Ollama. */
const probeMs = 2_000;

/** A provider that can serve, and what it said of itself. */
interface Chosen {
  readonly provider: Provider;
  readonly info: ModelInfo;
  readonly warnings: readonly string[];
  /** Why it is not the language model that was wanted, or null. */
  readonly missing: RlmError | null;
}

async function inspect(provider: Provider, signal: AbortSignal): Promise<Chosen> {
  const info = await provider.inspect(signal);
  return { provider, info, warnings: info.notices, missing: null };
}

/** The address is shown without the password that it may hold. */
async function unreachable(host: string, ms: number): Promise<RlmError> {
  const { parseOllamaHost } = await import('./providers/ollama-host.ts');
  const { display } = parseOllamaHost(host);
  return new RlmError('provider-unreachable', `Ollama at ${display} did not answer within ${ms / 1000} s`, {
    hint: 'See that it runs (ollama serve); rlm doctor shows more.',
  });
}

/** Inspects with a deadline of its own, so that a server that stalls cannot hold up a run. */
async function probe(provider: Provider, host: string, signal: AbortSignal, ms: number): Promise<Chosen> {
  const controller = new AbortController();
  const timer = setTimeout(async () => controller.abort(await unreachable(host, ms)), ms);
  try {
    return await inspect(provider, AbortSignal.any([signal, controller.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Ollama where it runs and has the model, else the extractive provider, which is said. */
async function chooseAutomatically(settings: Settings, signal: AbortSignal): Promise<Chosen> {
  try {
    return await probe(await providers['ollama']!(settings), settings.ollama.host, signal, probeMs);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RlmError) || error.exitCode !== 4) throw error;
    const chosen = await inspect(await providers['extractive']!(settings), signal);
    const notice = `no language model was used: ${error.message}. The answer is made of sentences found in the text. ${error.hint}`;
    return { ...chosen, warnings: [notice.trim(), ...chosen.warnings], missing: error };
  }
}

async function chooseProvider(settings: Settings, own: Provider | undefined, signal: AbortSignal): Promise<Chosen> {
  if (own) return inspect(own, signal);
  if (settings.provider === 'auto') return chooseAutomatically(settings, signal);
  const provider = await providers[settings.provider]!(settings);
  return probe(provider, settings.ollama.host, signal, settings.budget.callTimeout * 1000);
}

/** What to run. */
export interface RunRequest {
  readonly task: string;
  readonly settings: Settings;
  /** Reads the documents; called once, while the provider is looked for. */
  readonly readInputs: (signal: AbortSignal) => Promise<Inputs>;
  readonly provider?: Provider;
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

function checkTask(task: string): void {
  if (task.trim() !== '') return;
  throw new RlmError('usage', 'there is no question', { hint: 'Ask one: rlm ask "What failed first?" build.log' });
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

/** Starts everything at once; when one part fails the others are ended, so that none keeps the program waiting. */
async function prepare({ settings, provider, readInputs, signal }: RunRequest) {
  const failed = new AbortController();
  const together = AbortSignal.any([signal, failed.signal]);
  try {
    return await Promise.all([
      chooseProvider(settings, provider, together),
      readInputs(together),
      loadTemplates(settings.prompts),
    ]);
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}

/**
 * Makes a run: looks for the provider while the inputs and the prompts are read.
 * @throws RlmError when there is no question, no text where text is needed, no provider, or an input that cannot be used.
 */
export async function createRun(request: RunRequest): Promise<CreatedRun> {
  const { task, settings, signal } = request;
  checkTask(task);
  const [chosen, inputs, templates] = await prepare(request);
  const { documents } = inputs;
  checkText(chosen, documents);
  checkTaskFits(task, chosen.info, settings);

  const { provider, info } = chosen;
  const store = createContextStore(documents, { chunkBytes: settings.context.chunkBytes });
  const textBytes = store.totalBytes + store.chunks.length * passageOverheadBytes;
  const window = chooseWindow(textBytes, Buffer.byteLength(task), info.maxWindowTokens, settings);
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
  const started = startRun({ id, settings, store, retriever, provider, info, templates, window, signal, emit });
  return { ...started, state: { task, documents: store.documents }, provider: provider.name, model: info.model };
}
