/** How a task is answered: the strategies, and the plan that chooses one. */

/**
 * How the reasoner may answer a question, each in a line; the settings, the planner and the output's schemas list
 * these.
 */
export const strategyAbout = {
  direct: 'one look at the best passages',
  decompose: 'split the question into parts that need different passages, or that build on each other',
  scan: 'read all of the text, piece by piece: to count or list everything of a kind, or to sum up the whole',
  explore:
    'look around in the text with tools, step by step: for a large or connected text where one step shows what the next is',
  repl: 'look into the text with code that the model writes: to search, count and compare in a very large text, piece by piece',
} as const;

/** How the reasoner answers a question. */
export type StrategyName = keyof typeof strategyAbout;

/** Every strategy by its name, the cheapest first. */
export const strategyNames = Object.keys(strategyAbout) as [StrategyName, ...StrategyName[]];

/** A question that was answered before, with what was found. */
export interface EarlierAnswer {
  readonly question: string;
  readonly answer: string;
}

/** A part of a question. */
export interface SubQuestion {
  readonly question: string;
  /** Numbers (from 1) of earlier parts whose answers this part needs. */
  readonly needs: readonly number[];
}

/** The planner's slice. */
export interface Plan {
  /** Who made it: code, of facts that can be measured, or the planner's call. */
  readonly madeBy: 'code' | 'planner';
  readonly approach: StrategyName;
  /** Why this approach was taken, in a sentence. */
  readonly reason: string;
  readonly taskDecomposition: readonly string[];
  readonly keyQuestions: readonly SubQuestion[];
  readonly requiredInformation: readonly string[];
  readonly successCriteria: readonly string[];
}
