/** Errors for models and presets that are named and unavailable. They are never replaced. */
import { RlmError } from '../../errors.ts';

const withoutModel = 'or, to do without a language model: --provider extractive';

/**
 * The error for a model that is named and cannot be used.
 * @param origin where it is named, such as `--model`.
 */
export function modelUnusable(model: string, origin: string, error: RlmError): RlmError {
  const said = `the model ${model} (${origin}) cannot be used: ${error.message}`;
  return new RlmError(error.code, said, { hint: `${error.hint}; ${withoutModel}`, cause: error });
}

/**
 * The error for a preset that no model here can serve.
 * @param looked what was looked at, and what was found.
 */
export function presetUnusable(preset: string, looked: readonly string[]): RlmError {
  const message = `there is no model for the preset ${preset}: ${looked.join('; ')}`;
  const hint = `ollama serve, and ollama pull llama3.2:3b; to see what presets come to: rlm config presets; ${withoutModel}, and no --preset`;
  return new RlmError('model-missing', message, { hint });
}
