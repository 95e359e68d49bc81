import type { Settings } from '../../../config/settings.ts';
import type { Templates } from '../../../prompts/template.ts';
import type { ModelInfo } from '../../../providers/provider.ts';
import { extendRoster, type Roster, widen } from '../../roster.ts';
import type { KnownModels } from '../abilities.ts';
import type { ServingModel } from '../asked.ts';
import { createIdentify } from '../call-identity.ts';
import { createBreaker } from './breaker.ts';
import { amongOthers, type Crowd, createCrowd, type SharedLimiters } from './crowd.ts';
import { createPace } from './pace.ts';
import { createSizing } from './sizing.ts';

/** What `serve` needs. */
interface ServingParts {
  readonly id: string;
  readonly settings: Settings;
  readonly roster: Roster;
  readonly templates: Templates;
  /** What is known about the models' abilities and speed. */
  readonly knownModels: KnownModels;
  /** Limiters that are shared with other runs; null: none. */
  readonly limiters: SharedLimiters | null;
}

/** Creates the limit of concurrent calls per server; a limit that the user sets applies to all servers together. */
function createCrowds({ id, settings, roster, limiters: shared }: ServingParts): (provider: string) => Crowd {
  const { concurrency } = settings.budget;
  const { models } = roster;
  const crowds = new Map<string, Crowd>();
  const least = (name: string, of: (info: ModelInfo) => number) =>
    Math.min(...models.filter(({ provider }) => provider.name === name).map(({ info }) => of(info)));
  function create(name: string, key: string): Crowd {
    const known = concurrency ?? least(name, ({ callsAtOnce }) => callsAtOnce);
    const most = concurrency ?? least(name, ({ callsAtOnce, callsToTry = callsAtOnce }) => callsToTry);
    return shared === null ? createCrowd(known, most) : amongOthers(shared.of(key, known, most), id);
  }
  return (name) => {
    const key = concurrency === null ? name : '';
    const crowd = crowds.get(key) ?? create(name, key);
    crowds.set(key, crowd);
    return crowd;
  };
}

/** Returns the models with the state that their calls share: a provider is one server. */
export function serve(parts: ServingParts): Roster<ServingModel> {
  const { roster, templates, knownModels } = parts;
  const crowdOf = createCrowds(parts);
  const names = new Set(roster.models.map(({ provider }) => provider.name));
  const breakers = new Map([...names].map((name) => [name, createBreaker()]));
  return extendRoster(roster, (model) => ({
    ...model,
    ...crowdOf(model.provider.name),
    pace: createPace(knownModels.speedOf(model), (speed) => knownModels.clock(model, speed)),
    breaker: breakers.get(model.provider.name)!,
    identify: createIdentify(model.provider.name, model.info, templates),
    sizing: createSizing(),
  }));
}

/** Creates a roster that can be switched to the same models with larger windows, wherever it is used. */
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
