/** Finds comparisons with the name of a strategy or a provider. A file must ask for its traits instead. */
import { providerNames } from '../src/config/provider-traits.ts';
import { strategyNames } from '../src/state/strategies.ts';

/** Names of one kind, and the files that may compare them. */
interface Kind {
  readonly names: readonly string[];
  /** The file with the traits to use instead. */
  readonly traits: string;
  /** Files that may compare every name: the descriptors, and rooms where the names are those of prompts. */
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

/** Matches comparisons with a quoted name, except of a prompt: prompts have the names of strategies, too. */
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

/** Whether a file is the strategy's or the provider's own, or in its folder. */
const isOwn = (file: string, name: string): boolean =>
  new RegExp(`^(?:strategies|providers)/${name}(?:/|\\.ts$)`).test(file);

/** Returns, for each name that a text compares, why this breaks the rule. */
export const comparedNames = (file: string, text: string): string[] =>
  kinds.flatMap(({ names, traits, open }) =>
    names
      .filter((name) => !open.test(file) && !isOwn(file, name) && comparing(name).test(text))
      .map((name) => `it compares the name ${name}; ask for a trait of src/${traits}`),
  );
