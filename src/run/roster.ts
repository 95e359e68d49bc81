import type { PromptName } from '../prompts/index.ts';
import type { ModelInfo, Provider } from '../providers/provider.ts';
import type { Price } from './door/prices.ts';
import type { Window } from './door/window.ts';

/** A model that serves a run, or a part of it. */
export interface RunModel {
  readonly provider: Provider;
  readonly info: ModelInfo;
  /** Null when it is not known. */
  readonly price: Price | null;
  /** The same in each of its requests: another one makes a local server load the model again. */
  readonly window: Window;
  /** The largest that is allowed: for a conversation, which grows with each of its steps. */
  readonly widest: Window;
}

/** The models of a run, and which of them replies to what. */
export interface Roster<M extends RunModel = RunModel> {
  /** The run's own first; each once. */
  readonly models: readonly M[];
  /**
   * Who replies to a prompt: the model that the settings want there, then those that take over when it fails.
   * @param path a node's path in the tree, or a stage's name.
   */
  modelsFor(prompt: PromptName, path: string): readonly M[];
}

/** How a model is called in messages, and in settings: `ollama/llama3.2:3b`. */
export const modelName = ({ provider, info }: Pick<RunModel, 'provider' | 'info'>): string =>
  `${provider.name}/${info.model}`;

/** The depth of a place in the tree, 0 for the root and for the stages around it. */
export const depthOf = (path: string): number => path.split('.').length - 1;

/** The window with the least room for passages: what fits there fits all of them. */
export const smallestWindow = (models: readonly RunModel[]): Window =>
  models.map(({ window }) => window).reduce((least, one) => (one.passageBytes < least.passageBytes ? one : least));

/** The same models with their largest windows. */
export const widen = <M extends RunModel>({ models, modelsFor }: Roster<M>): Roster<M> =>
  extendRoster({ models, modelsFor }, (model) => ({ ...(model as M), window: model.widest }));

/** A roster whose models are more than they were, such as those that also have a limiter. */
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
