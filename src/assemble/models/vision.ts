/** Finds the model that reads pictures, once a picture has been found. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findAbove, findGlobal } from '../../base/find-package.ts';
import { packageRoot } from '../../config/folders.ts';
import { RlmError } from '../../errors.ts';
import { type ScanReader, unreadNote } from '../../inputs/pictures.ts';
import type { RunPlan } from '../run-plan.ts';
import { findModel, nameOf } from './choose-models.ts';
import { type Chosen, type ChosenModels, isPassedOver } from './choose-provider.ts';

/** The library that renders pages of PDFs, which does not ship with this program. */
const library = '@hyzyla/pdfium';
const installation = `npm i -g ${library}@2.1.13`;

/** Returns the address of the library, or null. The working folder is not searched: others may have filled it. */
async function findLibrary(signal: AbortSignal): Promise<string | null> {
  const folder = findAbove(library, packageRoot) ?? (await findGlobal(library, signal));
  return folder && pathToFileURL(join(folder, 'dist', 'index.esm.js')).href;
}

/** Returns the models of a run with one that reads pictures. */
function withVision(chosen: ChosenModels, reference: string, vision: Chosen): ChosenModels {
  const model = chosen.models.find((one) => nameOf(one) === nameOf(vision)) ?? vision;
  const { routes = [], fallbacks = [], models = {} } = chosen.routing ?? {};
  return {
    models: chosen.models.includes(model) ? chosen.models : [...chosen.models, model],
    modelsFor: (prompt, depth) => (prompt === 'transcribe' ? [model] : chosen.modelsFor(prompt, depth)),
    routing: {
      routes: [{ models: { transcribe: reference }, recursive: null }, ...routes],
      fallbacks,
      models: { ...models, [reference]: { provider: model.provider.name, model: model.info } },
    },
  };
}

/** Returns the run's own models if they read pictures, else null. One that the user named for it is believed to. */
function ownVision(chosen: ChosenModels): ChosenModels | null {
  const isNamed = chosen.routing?.routes.some(({ models }) => models['transcribe'] !== undefined) ?? false;
  const { vision = isNamed } = chosen.modelsFor('transcribe', 0)[0]!.info;
  return vision ? chosen : null;
}

async function namedVision(plan: RunPlan, chosen: ChosenModels, signal: AbortSignal): Promise<ChosenModels> {
  const { configuration, provider: main, providers: named = {} } = plan;
  const { visionModel } = configuration.settings;
  const vision = await findModel(configuration, { main, named }, visionModel, signal).catch((error: unknown) => {
    if (!(error instanceof RlmError) || !isPassedOver(error)) throw error;
    const message = `the model ${visionModel} (--vision-model) cannot be used: ${error.message}`;
    throw new RlmError(error.code, message, {
      hint: `${error.hint}; or, without pictures: --vision-model off`,
      cause: error,
    });
  });
  if (vision.info.vision !== false) return withVision(chosen, visionModel, vision);
  throw new RlmError('config-invalid', `${visionModel} (--vision-model) reads no pictures`, {
    hint: 'Name one that does, such as ollama/qwen2.5vl:7b, or --vision-model off to do without.',
  });
}

/**
 * Finds out how pages that are pictures are read in a run.
 * @param choosing the models of the run.
 * @returns what reading the inputs needs; `models`: the run's models, with the one that reads pictures; `library`: the
 *   address of the library that renders pages of PDFs, or null.
 */
export function createVision(plan: RunPlan, choosing: Promise<ChosenModels>, signal: AbortSignal) {
  const { settings } = plan.configuration;
  const isReplayed = plan.replay !== null && plan.record === null;
  let found: Promise<ChosenModels | null> | null = null;
  let rendering: Promise<string | null> | null = null;
  const find = () => {
    found ??= choosing.then((chosen) =>
      settings.visionModel === 'auto' || isReplayed ? ownVision(chosen) : namedVision(plan, chosen, signal),
    );
    return found;
  };
  const how = {
    model: 'a vision model could read them: ollama pull qwen2.5vl:7b, then add --vision-model ollama/qwen2.5vl:7b',
    library: `to have them read, install what renders pages (11 MB): ${installation}`,
  };
  let lacks: keyof typeof how = 'model';
  const reading: ScanReader = {
    async prepare(scan, during) {
      if ((await find()) === null) return null;
      if (scan.format !== 'application/pdf') return scan;
      rendering ??= findLibrary(during);
      const address = await rendering;
      lacks = 'library';
      if (address === null) return null;
      const { withoutBlankPages } = await import('../../inputs/read-pages.ts');
      return withoutBlankPages(scan, address, { timeoutMs: settings.inputs.readTimeout * 1000, signal: during });
    },
    note: (pages) => unreadNote(pages, how[lacks]),
  };
  return {
    /** Finds the model that reads pages; null: none. */
    find,
    reading,
    models: async () => (await found) ?? choosing,
    library: async () => rendering,
  };
}
