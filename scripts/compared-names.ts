/** Finds where a file compares the name of a strategy or a provider in place of asking for its traits. */
import { providerNames } from '../src/config/provider-traits.ts';
import { strategyNames } from '../src/state/strategies.ts';

/** Names of one kind, and where they may be compared. */
interface Kind {
  readonly names: readonly string[];
  /** Where the traits are, to be asked for instead. */
  readonly traits: string;
  /** Files that may compare every name: those that describe each, and rooms where the names stand for prompts. */
  readonly open: RegExp;
}

const kinds: readonly Kind[] = [
  { names: strategyNames, traits: 'state/strategies.ts', open: /^(?:state\/strategies\.ts$|prompts\/|providers\/)/ },
  {
    names: [...providerNames, 'scripted'],
    traits: 'config/provider-traits.ts',
    open: /^(?:config\/provider-traits|assemble\/models\/providers)\.ts$/,
  },
];

/** A comparison with a quoted name, on either side, as a case, or with a list; prompts have names of strategies. */
const comparing = (name: string) =>
  new RegExp(
    [
      `(?<!\\bprompt\\s+)[!=]==\\s+'${name}'`,
      `'${name}'\\s+[!=]==`,
      `\\bcase '${name}':`,
      `\\[[^\\]]*'${name}'[^\\]]*\\](?: as [^)]+\\))?\\.(?:includes|indexOf)\\(`,
      `\\.(?:includes|indexOf|startsWith)\\('${name}'\\)`,
    ].join('|'),
  );

/** Whether a file is the strategy's or the provider's own, or lies in its folder. */
const isOwn = (file: string, name: string): boolean =>
  new RegExp(`^(?:strategies|providers)/${name}(?:/|\\.ts$)`).test(file);

/** Why a file with that text breaks the rule, for each name that it compares. */
export const comparedNames = (file: string, text: string): string[] =>
  kinds.flatMap(({ names, traits, open }) =>
    names
      .filter((name) => !open.test(file) && !isOwn(file, name) && comparing(name).test(text))
      .map((name) => `it compares the name ${name}; ask for a trait of src/${traits}`),
  );
