/** What `rlm doctor` tells of each model: what it can do, what it costs, and which jobs it is good for. */
import { readAbilities } from '../cache/kept-abilities.ts';
import { cacheFolder } from '../config/folders.ts';
import type { Settings } from '../config/settings.ts';
import type { ModelInfo, ModelSummary } from '../providers/provider.ts';
import { findPrice, type Price } from '../run/prices.ts';
import { type StrategyName, strategyNames } from '../state.ts';

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
  /** Whether a question would be put to it now. */
  readonly isChosen: boolean;
}

/** A model whose weights take less splits questions badly, and answers plain ones well enough. */
const strongBytes = 2e9;
/** A prompt that decides what to do next has to hold what was done before. */
const roomyTokens = 8_192;

const canChat = ({ capabilities }: ModelSummary): boolean =>
  capabilities.length === 0 || capabilities.includes('completion');

/** Reading passages, and the text piece by piece, is for every model; what plans its own steps is for strong ones. */
function jobsOf(model: ModelSummary): readonly StrategyName[] {
  if (!canChat(model)) return [];
  const isStrong = (model.sizeBytes ?? strongBytes) >= strongBytes;
  const isRoomy = (model.windowTokens ?? roomyTokens) >= roomyTokens;
  const isPlain = (name: StrategyName) => name === 'direct' || name === 'scan';
  return strategyNames.filter((name) => isPlain(name) || (isStrong && isRoomy));
}

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
  settings: Settings,
): Promise<readonly ReportedModel[]> {
  const kept = await readAbilities(cacheFolder(settings, process.env));
  const lacks = (name: string) =>
    Object.entries(kept).flatMap(([version, ones]) => (version.startsWith(`${provider}/${name}@`) ? ones : []));
  return Promise.all(
    models.map(async (model) => {
      const lacking = lacks(model.name);
      const spends = info?.spends ?? 'tokens';
      return {
        ...model,
        provider,
        tools: lacking.includes('tools') ? false : tells(model, 'tools'),
        thinking: tells(model, 'thinking'),
        structuredOutput: (info?.structuredOutput ?? true) && !lacking.includes('structuredOutput'),
        price: (await findPrice(provider, { model: model.name, spends }, settings.prices))?.price ?? null,
        jobs: jobsOf(model),
        isChosen: info?.model === model.name,
      };
    }),
  );
}
