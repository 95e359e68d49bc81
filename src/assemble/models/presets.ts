import { withDeadline } from '../../base/abort.ts';
import { counted } from '../../base/text.ts';
import { preferredProvider } from '../../config/provider-traits.ts';
import type { Settings } from '../../config/settings.ts';
import { lateError, RlmError } from '../../errors.ts';
import type { ModelSummary } from '../../providers/provider.ts';
import { findPrice } from '../../run/door/prices.ts';
import { makerOf, type ProviderSettings } from './providers.ts';

type PresetName = NonNullable<Settings['preset']>;

export const presetNames: readonly PresetName[] = ['cost-optimized', 'speed-optimized', 'quality-first', 'fully-local'];

const hostedTiers = {
  anthropic: {
    key: 'ANTHROPIC_API_KEY',
    best: 'anthropic/claude-opus-5-5',
    middle: 'anthropic/claude-sonnet-5-5',
    small: 'anthropic/claude-haiku-5-5',
  },
  openai: {
    key: 'OPENAI_API_KEY',
    best: 'openai/gpt-5.5',
    middle: 'openai/gpt-5.4-mini',
    small: 'openai/gpt-5.4-nano',
  },
};

type Tiers = Omit<(typeof hostedTiers)['openai'], 'key'>;

const surveyMs = 2_000;

/** Whether a model can chat and runs locally: Ollama runs models such as `x:cloud` and `x-cloud` on ollama.com. */
const runsHere = ({ name, capabilities }: ModelSummary): boolean =>
  !/[:-]cloud$/.test(name) && (capabilities.length === 0 || capabilities.includes('completion'));

const isCloud = (address: string): boolean => /^https?:\/\/([^/]*\.)?ollama\.com(:\d+)?(\/|$)/.test(address);

const bySize = (a: ModelSummary, b: ModelSummary): number =>
  (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0) || (a.name < b.name ? -1 : 1);

async function lookAtOllama(configuration: ProviderSettings, signal: AbortSignal) {
  try {
    const provider = await makerOf(preferredProvider).create(configuration);
    const { models, address } = await withDeadline(
      surveyMs,
      () => lateError('Ollama', surveyMs),
      signal,
      (limited) => provider.survey!(limited),
    );
    const usable = isCloud(address) ? [] : models.filter(runsHere).sort(bySize);
    const local = usable.map(({ name }) => `${preferredProvider}/${name}`);
    return { local, looked: [`Ollama at ${address}: ${counted(local.length, 'model')} that can chat`] };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RlmError)) throw error;
    return { local: [], looked: [error.message] };
  }
}

/** Asks Ollama for its models, and checks which hosted providers have a key. */
export async function lookForPresets(configuration: ProviderSettings, signal: AbortSignal) {
  const { env } = configuration;
  const { local, looked } = await lookAtOllama(configuration, signal);
  const known = Object.values(hostedTiers);
  const isThere = ({ key }: { key: string }) => (env[key] ?? '').trim() !== '';
  return {
    /** References of Ollama's models, the largest first. */
    local,
    /** Providers whose key is set. */
    hosted: known.filter(isThere),
    looked: [...looked, ...known.map((tiers) => `${tiers.key} is ${isThere(tiers) ? '' : 'not '}set`)],
  };
}

async function usdOf(reference: string, own: Settings['prices']): Promise<number> {
  const [provider, model] = reference.split('/') as [string, string];
  const known = await findPrice(provider, { model, spends: 'money' }, own);
  return known === null ? Number.POSITIVE_INFINITY : known.price.output;
}

async function cheapestOf(hosted: readonly Tiers[], own: Settings['prices']): Promise<Tiers | undefined> {
  const priced = await Promise.all(hosted.map(async (tiers) => ({ tiers, usd: await usdOf(tiers.middle, own) })));
  return priced.sort((a, b) => a.usd - b.usd)[0]?.tiers;
}

/**
 * Resolves a preset from the models that were found and their prices.
 * @returns `main`, the run's own model, and `recursive`, the model of all questions below the root. Both are null when
 *   no model suits the preset.
 */
export async function resolvePreset(
  name: PresetName,
  { local, hosted }: { readonly local: readonly string[]; readonly hosted: readonly Tiers[] },
  own: Settings['prices'],
) {
  const [large, small] = [local[0], local.at(-1)];
  const [tiers] = hosted;
  const cheapest = await cheapestOf(hosted, own);
  const pair = 'the largest local model, and the smallest below the root';
  type Choice = readonly [main: string | undefined, recursive: string | undefined, why: string];
  const choices: Readonly<Record<PresetName, readonly Choice[]>> = {
    'cost-optimized': [
      [large, small, `${pair}: they cost nothing`],
      [cheapest?.middle, cheapest?.small, 'no local model; the cheapest provider that has a key'],
    ],
    'speed-optimized': [
      [cheapest?.small, cheapest?.small, 'a small hosted model replies soonest'],
      [small, small, 'no key; the smallest local model'],
    ],
    'quality-first': [
      [tiers?.best, tiers?.middle, 'the best model of the first provider that has a key'],
      [large, large, 'no key; the largest local model'],
    ],
    'fully-local': [[large, small, pair]],
  };
  const found = choices[name].find(([main]) => main !== undefined);
  const [main = null, recursive = null, why = 'no language model was found for this preset'] = found ?? [];
  return { name, main, recursive, why };
}
