/**
 * Who serves a run. Only this file chooses among concrete providers. It loads nothing but the provider that is looked at, so
 * that a server is asked at once; what else a run needs is loaded while it answers.
 */
import type { Configuration } from './config/layers.ts';
import { type ErrorInfo, errorCodes, RlmError } from './errors.ts';
import { withDeadline } from './providers/abort.ts';
import { parseOllamaHost } from './providers/ollama-host.ts';
import type { ModelInfo, Provider } from './providers/provider.ts';

/** What a provider is chosen by. */
type Choice = Pick<Configuration, 'settings' | 'untrusted' | 'redactor' | 'cwd'>;

/** How each provider is made; its module is loaded when it is wanted. */
export const providers: Readonly<Record<string, (choice: Choice) => Promise<Provider>>> = {
  ollama: async ({ settings: { model, ollama }, untrusted, redactor }) => {
    const { createOllamaProvider } = await import('./providers/ollama.ts');
    const { host, keepAlive } = ollama;
    return createOllamaProvider({
      model,
      host,
      keepAlive,
      refuseRemote: untrusted.has('model'),
      redact: redactor.text,
    });
  },
  'llama-cpp': async ({ settings: { model, llamaCpp }, untrusted, cwd }) => {
    const { createLlamaCppProvider } = await import('./providers/llama-cpp.ts');
    return createLlamaCppProvider({ ...llamaCpp, model, cwd, refuseModel: untrusted.has('model') });
  },
  extractive: async () => (await import('./providers/extractive/provider.ts')).createExtractiveProvider(),
};

const autoOrder = ['ollama', 'extractive'] as const;

/** A path of a GGUF file; with a colon it may be a name that Ollama knows, such as `hf.co/…:model.gguf`. */
const ggufPath = /^(?:[a-z]:[\\/])?[^:]*\.gguf$/i;

/** The providers that the settings stand for, the most wanted first. */
export function candidatesFor({ provider, model }: Choice['settings']): readonly string[] {
  if (provider !== 'auto') return [provider];
  return ggufPath.test(model) ? ['llama-cpp'] : autoOrder;
}

/** Whether the next candidate is taken after this error: it is unavailable, and nothing is set wrong. */
export const isPassedOver = ({ code }: Pick<ErrorInfo, 'code'>): boolean => errorCodes[code].exit === 4;

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

/** Makes and inspects a provider; a server that stalls cannot hold up a run. */
async function probe(name: string, choice: Choice, signal: AbortSignal, ms: number): Promise<Chosen> {
  const provider = await providers[name]!(choice);
  const late = () => unreachable(choice.settings.ollama.host, ms);
  return withDeadline(ms, late, signal, (either) => inspect(provider, either));
}

/** The first that can serve; that it is not the first of all is said. */
async function chooseAutomatically(choice: Choice, signal: AbortSignal): Promise<Chosen> {
  const [first, second] = autoOrder;
  try {
    return await probe(first, choice, signal, probeMs);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RlmError) || !isPassedOver(error)) throw error;
    const chosen = await inspect(await providers[second]!(choice), signal);
    const notice = `no language model was used: ${error.message}. ${error.hint}`;
    return { ...chosen, warnings: [notice.trim(), ...chosen.warnings], missing: error };
  }
}

/**
 * A provider that can serve: the program's own, the one that the settings name, or for `auto` the first that can.
 * @throws RlmError as `inspect` does.
 */
export async function chooseProvider(choice: Choice, own: Provider | undefined, signal: AbortSignal): Promise<Chosen> {
  const { budget } = choice.settings;
  if (own) return inspect(own, signal);
  const [only, other] = candidatesFor(choice.settings);
  if (other !== undefined) return chooseAutomatically(choice, signal);
  return probe(only!, choice, signal, budget.callTimeout * 1000);
}
