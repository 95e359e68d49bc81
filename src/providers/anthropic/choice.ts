import { type Configuration, shippedOrigin } from '../../config/layers.ts';
import { RlmError } from '../../errors.ts';

const defaultModel = 'claude-sonnet-5-5';

export interface ChosenModel {
  readonly model: string;
  readonly notices: readonly string[];
}

const unchosen = () =>
  new RlmError('config-invalid', 'the project file names anthropic, which would receive the text at your cost', {
    hint: 'If you want that, name the provider yourself with --provider anthropic or RLM_PROVIDER, or trust the project (trustedProjects).',
  });

/**
 * Returns the model that the user chose. If the user chose none, returns `defaultModel`, because the shipped setting
 * names a model for Ollama.
 * @throws RlmError `config-invalid` when only a project file chose the provider.
 */
export function chooseAnthropicModel({
  settings,
  origins,
  untrusted,
}: Pick<Configuration, 'settings' | 'origins' | 'untrusted'>): ChosenModel {
  if (settings.provider === 'anthropic' && untrusted.has('provider')) throw unchosen();
  const origin = origins.get('model') ?? shippedOrigin;
  const isShipped = origin === shippedOrigin;
  // If a route or a preset has replaced the project's model, the origin is not a file, and the model is used.
  const isUnchosen = untrusted.has('model') && origin.endsWith('.json');
  if (!isShipped && !isUnchosen) return { model: settings.model, notices: [] };
  const why = isShipped ? 'no model was chosen' : `the model of the project file (${settings.model}) is not used`;
  return { model: defaultModel, notices: [`${why}: ${defaultModel} answers. Choose another with --model`] };
}
