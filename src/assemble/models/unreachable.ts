import { withoutLogin } from '../../config/login.ts';
import type { Settings } from '../../config/settings.ts';
import { RlmError } from '../../errors.ts';
import { parseOllamaHost } from '../../providers/ollama/host.ts';

/** Where a provider is, as it may be shown, and what to do when it does not answer. */
function whereIs(name: string, { model, ollama, openai, anthropic }: Settings): readonly [string, string] {
  if (name === 'llama-cpp' || name === 'onnx') return [`the file ${model}`, 'Check the disk'];
  if (name === 'openai')
    return [withoutLogin(openai.baseUrl), 'Check that it runs, and openai.baseUrl (OPENAI_BASE_URL)'];
  if (name === 'anthropic') return [withoutLogin(anthropic.baseUrl), 'Check anthropic.baseUrl'];
  return [`Ollama at ${parseOllamaHost(ollama.host).display}`, 'Check that it runs (ollama serve)'];
}

/** The error for a provider that did not answer in time. Its address is shown without a password. */
export function unreachable(name: string, settings: Settings, ms: number): RlmError {
  const [place, hint] = whereIs(name, settings);
  return new RlmError('provider-unreachable', `${place} did not answer within ${ms / 1000} s`, {
    hint: `${hint}; rlm doctor shows more.`,
  });
}
