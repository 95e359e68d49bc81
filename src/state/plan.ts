/** The plan that chooses how a task is answered. */
import type { StrategyName } from './strategies.ts';

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
