/**
 * Who serves a run. Only this file names concrete providers. It loads nothing but the provider that is looked at, so
 * that a server is asked at once; what else a run needs is loaded while it answers.
 */
import type { Settings } from './config/settings.ts';
import { RlmError } from './errors.ts';
import { parseOllamaHost } from './providers/ollama-host.ts';
import type { ModelInfo, Provider } from './providers/provider.ts';

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
export interface Chosen {
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
function unreachable(host: string, ms: number): RlmError {
  const { display } = parseOllamaHost(host);
  return new RlmError('provider-unreachable', `Ollama at ${display} did not answer within ${ms / 1000} s`, {
    hint: 'See that it runs (ollama serve); rlm doctor shows more.',
  });
}

/** Inspects with a deadline of its own, so that a server that stalls cannot hold up a run. */
async function probe(provider: Provider, host: string, signal: AbortSignal, ms: number): Promise<Chosen> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(unreachable(host, ms)), ms);
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
    const notice = `no language model was used: ${error.message}. ${error.hint}`;
    return { ...chosen, warnings: [notice.trim(), ...chosen.warnings], missing: error };
  }
}

/**
 * A provider that can serve: the program's own, the one that the settings name, or for `auto` the first that can.
 * @throws RlmError as `inspect` does.
 */
export async function chooseProvider(
  settings: Settings,
  own: Provider | undefined,
  signal: AbortSignal,
): Promise<Chosen> {
  if (own) return inspect(own, signal);
  if (settings.provider === 'auto') return chooseAutomatically(settings, signal);
  const provider = await providers[settings.provider]!(settings);
  return probe(provider, settings.ollama.host, signal, settings.budget.callTimeout * 1000);
}
