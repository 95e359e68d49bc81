/** Who chose Anthropic, and which of its models: a project file that nobody looked at chooses neither. */
import { type Configuration, shippedOrigin } from '../../config/layers.ts';
import { RlmError } from '../../errors.ts';

/** The model that answers where the user has chosen none. */
const defaultModel = 'claude-sonnet-5-5';

/** The model to ask for, and what the user should know about the choice. */
export interface ChosenModel {
  readonly model: string;
  readonly notices: readonly string[];
}

const unchosen = () =>
  new RlmError('config-invalid', 'the project file names anthropic, which would be sent the text, at your cost', {
    hint: 'If you want that, name the provider yourself with --provider anthropic or RLM_PROVIDER, or trust the project (trustedProjects).',
  });

/**
 * The model that the user chose, else the default one: the shipped setting names a model of another provider.
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
  // A model that routes or a preset name may stand in place of the project's.
  const isUnchosen = untrusted.has('model') && origin.endsWith('.json');
  if (!isShipped && !isUnchosen) return { model: settings.model, notices: [] };
  const why = isShipped ? 'no model was chosen' : `the model of the project file (${settings.model}) is not used`;
  return { model: defaultModel, notices: [`${why}: ${defaultModel} answers. Choose another with --model`] };
}
