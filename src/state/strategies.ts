/** The strategies: facts that the program needs before it loads a strategy's code. */

/** The traits of a strategy. */
interface StrategyTraits {
  /** A description in one line, for the list in the settings and in the planner's prompt. */
  readonly about: string;
  /** The text that the live display shows while the strategy works. */
  readonly doing: string;
  /** How the model reads the text, for the dry run. Null if it reads passages, or a text that fits one prompt. */
  readonly reading: string | null;
  /**
   * How the strategy finds the answer. `passages`: in one call, from passages. `parts`: from the answers to parts of
   * the question. `all`: from the whole text, piece by piece. `steps`: the model chooses each step by the result of the
   * step before.
   */
  readonly way: 'passages' | 'parts' | 'all' | 'steps';
  /**
   * What the strategy needs of a model. `strength`: enough parameters and a window large enough to plan. `actions`:
   * strength, and tool calls or structured output. `code`: strength, and training to write code or to call tools.
   */
  readonly needs: 'nothing' | 'strength' | 'actions' | 'code';
  /** Whether its models get their largest context windows, because its prompts grow with each step. */
  readonly widens: boolean;
}

/** Every strategy by its name, the cheapest first. */
export const strategyTraits = {
  direct: {
    about: 'one look at the best passages',
    doing: 'reading what was found',
    reading: null,
    way: 'passages',
    needs: 'nothing',
    widens: false,
  },
  decompose: {
    about: 'split the question into parts that need different passages, or that build on each other',
    doing: 'splitting into parts',
    reading: null,
    way: 'parts',
    needs: 'strength',
    widens: false,
  },
  scan: {
    about: 'read all of the text, piece by piece: to count or list everything of a kind, or to sum up the whole',
    doing: 'reading all of the text',
    reading: 'all of the given text is read',
    way: 'all',
    needs: 'nothing',
    widens: false,
  },
  explore: {
    about:
      'look around in the text with tools, step by step: for a large or connected text where one step shows what the next is',
    doing: 'looking around',
    reading: 'the model searches the text with tools',
    way: 'steps',
    needs: 'actions',
    widens: true,
  },
  repl: {
    about:
      'look into the text with code that the model writes: to search, count and compare in a very large text, piece by piece',
    doing: 'working with code',
    reading: 'the model searches the text with code',
    way: 'steps',
    needs: 'code',
    widens: true,
  },
} as const satisfies Readonly<Record<string, StrategyTraits>>;

/** How the reasoner answers a question. */
export type StrategyName = keyof typeof strategyTraits;

export const strategyNames = Object.keys(strategyTraits) as [StrategyName, ...StrategyName[]];

/** Returns how a strategy finds the answer. */
export const wayOf = (strategy: StrategyName): StrategyTraits['way'] => strategyTraits[strategy].way;

/** The strategies that work step by step. `explore` is first, because a wrong tool call costs less than wrong code. */
export const lookers: readonly StrategyName[] = strategyNames.filter((one) => wayOf(one) === 'steps');

/**
 * A step towards the answer. answer: one call, from the best passages; without a model, code may compute it. wider:
 * one more call, from more of the text. quote: the best sentences, because the model gave no usable answer. refine:
 * a further search for what the answer left open. All other steps are strategies.
 */
export type LadderStep = 'answer' | 'wider' | 'quote' | 'refine' | Exclude<StrategyName, 'direct'>;

/** Returns the step that tries a strategy. */
export const stepOf = (strategy: StrategyName): LadderStep => (strategy === 'direct' ? 'answer' : strategy);
