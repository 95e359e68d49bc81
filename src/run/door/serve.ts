import type { Settings } from '../../config/settings.ts';
import type { PromptName } from '../../prompts/index.ts';
import type { Templates } from '../../prompts/template.ts';
import type { ModelInfo } from '../../providers/provider.ts';
import type { Tokens } from '../../state.ts';
import { extendRoster, type Roster, widen } from '../roster.ts';
import type { ServingModel } from './asked.ts';
import { createIdentify } from './call-identity.ts';
import type { KnownModels } from './layer.ts';
import { amongOthers, type Crowd, createCrowd, type SharedLimiters } from './limiter.ts';
import { createPace } from './pace.ts';
import { createSizing, smallestSeen } from './window.ts';

export interface ServingParts {
  readonly id: string;
  readonly settings: Settings;
  readonly roster: Roster;
  readonly templates: Templates;
  readonly knownModels: KnownModels;
  /** Limiters that this run shares with other runs; null if it shares none. */
  readonly limiters: SharedLimiters | null;
}

/** Creates the function that finds a server's `Crowd`. A limit that the user sets applies to all servers together. */
function createCrowds({ id, settings, roster, limiters: shared }: ServingParts): (provider: string) => Crowd {
  const { concurrency } = settings.budget;
  const { models } = roster;
  const crowds = new Map<string, Crowd>();
  const least = (name: string, of: (info: ModelInfo) => number) =>
    Math.min(...models.filter(({ provider }) => provider.name === name).map(({ info }) => of(info)));
  return (name) => {
    const key = concurrency === null ? name : '';
    const before = crowds.get(key);
    if (before !== undefined) return before;
    const known = concurrency ?? least(name, ({ callsAtOnce }) => callsAtOnce);
    const most = concurrency ?? least(name, ({ callsAtOnce, callsToTry = callsAtOnce }) => callsToTry);
    const crowd = shared === null ? createCrowd(known, most) : amongOthers(shared.of(key, known, most), id);
    crowds.set(key, crowd);
    return crowd;
  };
}

/** Returns the models with the state that their calls share. Each provider is one server. */
export function serve(parts: ServingParts): Roster<ServingModel> {
  const { roster, templates, knownModels } = parts;
  const crowdOf = createCrowds(parts);
  return extendRoster(roster, (model) => ({
    ...model,
    ...crowdOf(model.provider.name),
    pace: createPace(knownModels.speedOf(model), (speed) => knownModels.recordSpeed(model, speed)),
    identify: createIdentify(model.provider.name, model.info, templates),
    sizing: createSizing(),
  }));
}

/** Creates a roster, and `widen`, which enlarges the models' windows for everything that uses the roster. */
export function createWidening(narrow: Roster<ServingModel>) {
  let roster = narrow;
  return {
    roster: {
      get models() {
        return roster.models;
      },
      modelsFor: (...place) => roster.modelsFor(...place),
    } satisfies Roster<ServingModel>,
    widen: () => {
      roster = widen(narrow);
    },
  };
}

export type RunModels = Readonly<ReturnType<typeof createRunModels>>;

/** Creates the functions that tell stages and strategies about a run's models. */
export function createRunModels(roster: Roster<ServingModel>, widen: () => void) {
  const first = (prompt: PromptName, path: string) => roster.modelsFor(prompt, path)[0]!;
  return {
    info: (prompt: PromptName, path: string): ModelInfo => first(prompt, path).info,
    /** Returns the duration of a call in ms; null until the speed is known. */
    msFor: (prompt: PromptName, path: string, tokens: Tokens) => first(prompt, path).pace.msFor(tokens),
    /** Returns the bytes of passages, tags included, that fit a prompt of every model. */
    passageBytes: () => smallestSeen(roster.models).passageBytes,
    /** Returns the bytes of passages that fit this prompt for every model that may answer the prompt at the path. */
    roomFor: (prompt: PromptName, path: string) => smallestSeen(roster.modelsFor(prompt, path)).passageBytes,
    /** Returns a number that changes when windows grow, or when a server refuses a prompt as too long. */
    roomNow: () => roster.models.reduce((sum, { window, sizing }) => sum + window.tokens - sizing.refusals, 0),
    widen,
  };
}
