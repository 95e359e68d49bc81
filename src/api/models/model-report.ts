/** What `rlm doctor` tells of each model: what it can do, what it costs, and which jobs it is good for. */
import { readKnownModel } from '../../cache/known-models.ts';
import { cacheFolder } from '../../config/folders.ts';
import type { Configuration } from '../../config/layers.ts';
import type { ModelInfo, ModelSummary } from '../../providers/provider.ts';
import type { Speed } from '../../run/door/pace.ts';
import { findPrice, type Price } from '../../run/door/prices.ts';
import { strategiesFor } from '../../run/up-to.ts';
import type { StrategyName } from '../../state.ts';

/** A model that is there. */
export interface ReportedModel extends ModelSummary {
  readonly provider: string;
  /** Null where it is not told. */
  readonly tools: boolean | null;
  readonly thinking: boolean | null;
  readonly structuredOutput: boolean;
  /** In USD per million tokens; null where it is not known. */
  readonly price: Price | null;
  readonly jobs: readonly StrategyName[];
  /** As earlier runs here have seen it, in tokens a second; null: none has. */
  readonly speed: Speed | null;
  /** Whether a question would be put to it now. */
  readonly isChosen: boolean;
}

const canChat = ({ capabilities }: ModelSummary): boolean =>
  capabilities.length === 0 || capabilities.includes('completion');

const tells = ({ capabilities }: ModelSummary, ability: string): boolean | null =>
  capabilities.length === 0 ? null : capabilities.includes(ability);

/**
 * The models of one provider.
 * @param info of its model that would serve, or null; the others are held to do what that does.
 */
export async function reportModels(
  provider: string,
  models: readonly ModelSummary[],
  info: ModelInfo | null,
  { settings, env }: Configuration,
): Promise<readonly ReportedModel[]> {
  const folder = cacheFolder(settings, env);
  return Promise.all(
    models.map(async (model) => {
      const known = await readKnownModel(folder, { name: `${provider}/${model.name}`, digest: null });
      const lacking = known.lacks;
      const spends = info?.spends ?? 'tokens';
      const tools = lacking.includes('tools') ? false : tells(model, 'tools');
      const structuredOutput = (info?.structuredOutput ?? true) && !lacking.includes('structuredOutput');
      const tested = { weights: null, ...model, tools: tools ?? info?.tools ?? true, structuredOutput };
      return {
        ...model,
        provider,
        tools,
        thinking: tells(model, 'thinking'),
        structuredOutput,
        price: (await findPrice(provider, { model: model.name, spends }, settings.prices))?.price ?? null,
        jobs: canChat(model) ? [...strategiesFor(tested)] : [],
        speed: known.speed,
        isChosen: info?.model === model.name,
      };
    }),
  );
}
