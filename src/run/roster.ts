import type { PromptName } from '../prompts/index.ts';
import type { ModelInfo, Provider } from '../providers/provider.ts';
import type { Share } from './door/budget.ts';
import type { Price } from './door/prices.ts';
import { smallestOf, type Window } from './door/window.ts';

/** Where a call belongs, and which share of the budget it may use. */
export interface RunPlace {
  /** A node's path in the tree, or a stage's name. */
  readonly path: string;
  readonly share: Share;
  /** Identifies one of several calls of a prompt at one path; if absent, their order identifies them. */
  readonly part?: string;
  /** Whether the reply is one part of a composed answer; default: false. */
  readonly isPiece?: boolean;
}

/** A model that serves all or some of a run's prompts. */
export interface RunModel {
  readonly provider: Provider;
  readonly info: ModelInfo;
  /** Null when the price is unknown. */
  readonly price: Price | null;
  /** The current window. If it changes, a local server loads the model again. */
  readonly window: Window;
  /** The largest allowed window. */
  readonly widest: Window;
}

export interface Roster<M extends RunModel = RunModel> {
  /** Each model once, the run's own model first. */
  readonly models: readonly M[];
  /** Returns the models for a prompt: the one that the settings name for it, then its fallbacks in order. */
  modelsFor(prompt: PromptName, path: string): readonly M[];
}

/** Returns the name of a model in messages and settings: `ollama/llama3.2:3b`. */
export const modelName = ({ provider, info }: Pick<RunModel, 'provider' | 'info'>): string =>
  `${provider.name}/${info.model}`;

/** Returns the depth of a path in the tree: 0 for the root and for the stages around it. */
export const depthOf = (path: string): number => path.split('.').length - 1;

/** Returns the window with the least room for passages. */
export const smallestWindow = (models: readonly RunModel[]): Window => smallestOf(models.map(({ window }) => window));

/** Returns the roster with the largest window of each model. */
export const widen = <M extends RunModel>({ models, modelsFor }: Roster<M>): Roster<M> =>
  extendRoster({ models, modelsFor }, (model) => ({ ...(model as M), window: model.widest }));

/** Returns the roster with each model extended by more fields, such as its limiter. */
export function extendRoster<M extends RunModel>(
  { models, modelsFor }: Roster,
  extend: (model: RunModel) => M,
): Roster<M> {
  const extended = new Map(models.map((model) => [model, extend(model)]));
  return {
    models: [...extended.values()],
    modelsFor: (prompt, path) => modelsFor(prompt, path).map((model) => extended.get(model)!),
  };
}
