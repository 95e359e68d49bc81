import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../config/folders.ts';
import type { Settings } from '../../config/settings.ts';
import type { ModelInfo } from '../../providers/provider.ts';
import type { CallTokens } from '../../state.ts';

/** Prices of a model, in USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Price of input that is read from the provider's prompt cache; left out if it equals `input`. */
  readonly cacheRead?: number | undefined;
  /** Price of input that is written to this cache; left out if it equals `input`. */
  readonly cacheWrite?: number | undefined;
  /** Higher prices of a call whose input has more than `above` tokens. */
  readonly long?: Omit<Price, 'long'> & { readonly above: number };
}

const free: Price = { input: 0, output: 0 };

/** Returns a model's name without the date of its version (`gpt-4o-2024-08-06`), which does not change the price. */
const withoutDate = (name: string) => name.replace(/-\d{4}-?\d{2}-?\d{2}$/, '');

/** A price, and the date of its table. The date is null for the user's own price, or if calls are free. */
export interface KnownPrice {
  readonly price: Price;
  readonly date: string | null;
}

/** Returns a model's price: from the setting `prices`, else 0 if calls are free, else from prices.json, else null. */
export async function findPrice(
  provider: string,
  info: Pick<ModelInfo, 'model' | 'spends'>,
  own: Settings['prices'],
): Promise<KnownPrice | null> {
  const name = `${provider}/${info.model}`;
  const set = own[name] ?? own[withoutDate(name)];
  if (set) return { price: set, date: null };
  if (info.spends !== 'money') return { price: free, date: null };
  const table: { readonly dates: Record<string, string>; readonly usdPerMillionTokens: Record<string, Price> } =
    JSON.parse(await readFile(join(packageRoot, 'prices.json'), 'utf8'));
  const known = [name, info.model].flatMap((each) => [each, withoutDate(each)]);
  const listed = known.find((each) => Object.hasOwn(table.usdPerMillionTokens, each));
  if (listed === undefined) return null;
  return { price: table.usdPerMillionTokens[listed]!, date: table.dates[listed.split('/')[0]!] ?? null };
}

/** Returns the cost of one call, in USD. */
export function costOf(
  { input, output, cacheRead = 0, cacheWritten = 0 }: CallTokens,
  { long, ...usual }: Price,
): number {
  const price = long !== undefined && input > long.above ? long : usual;
  const cached = cacheRead * (price.cacheRead ?? price.input) + cacheWritten * (price.cacheWrite ?? price.input);
  return ((input - cacheRead - cacheWritten) * price.input + cached + output * price.output) / 1e6;
}
