import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RlmError } from '../../errors.ts';
import type { ModelInfo, ModelSummary, Provider, Survey } from '../provider.ts';
import { createChat } from './chat.ts';
import { largestContext, type ModelFile, readModelFile } from './file.ts';
import { createSource, type LlamaCppOptions, type LoadedModel, modelPath } from './model.ts';
import { findPackage } from './package.ts';

function describe(file: ModelFile): ModelInfo {
  const notice = `${file.name} has no chat template: it is possibly not made for answering questions`;
  return {
    model: file.name,
    weights: file.weights || null,
    maxWindowTokens: largestContext(file),
    loadsWindow: true,
    structuredOutput: true,
    tools: false,
    spends: 'tokens',
    digest: file.digest,
    callsAtOnce: 1,
    answersWithoutText: true,
    notices: file.madeFor === 'chat' ? [] : [notice],
  };
}

const summarise = (file: ModelFile): ModelSummary => ({
  name: file.name,
  sizeBytes: file.sizeBytes,
  weights: file.weights || null,
  capabilities: file.madeFor === 'vectors' ? ['embedding'] : ['completion'],
  windowTokens: largestContext(file),
});

/** Throws if the model is made for vectors and thus cannot write. node-llama-cpp does not check that. */
function assertWrites({ madeFor, name }: ModelFile): void {
  if (madeFor !== 'vectors') return;
  throw new RlmError('model-missing', `"${name}" cannot chat: it is made for vectors`, {
    hint: `Name a model that writes: --model path/to/model.gguf. "${name}" may serve as embedding.model.`,
  });
}

async function pulledFiles(folder: string | undefined): Promise<string[]> {
  const names = folder === undefined ? [] : await readdir(folder).catch(() => []);
  return names.filter((name) => /^[^.].*\.gguf$/i.test(name)).map((name) => join(folder!, name));
}

async function survey(options: LlamaCppOptions, signal: AbortSignal): Promise<Survey> {
  const { model, cwd, folder, modelsFolder, refuseModel } = options;
  const { folder: address, version } = await findPackage(folder, cwd, signal);
  const named = model === null || refuseModel ? [] : [modelPath(model, options)];
  const paths = new Set([...named, ...(await pulledFiles(modelsFolder))]);
  const files = await Promise.all([...paths].map((path) => readModelFile(path).catch(() => null)));
  return { version, address, models: files.filter((file) => file !== null).map(summarise) };
}

/** Creates the provider for a GGUF file in this process. Calls run one at a time. */
export function createLlamaCppProvider(options: LlamaCppOptions): Provider {
  const source = createSource(options, '--model or RLM_MODEL', assertWrites);
  let chat: ReturnType<typeof createChat> | null = null;

  return {
    name: 'llama-cpp',
    async inspect(signal) {
      return describe((await source.look(signal)).file);
    },
    survey: (signal) => survey(options, signal),
    async call(request, callOptions) {
      const { file } = await source.look(callOptions.signal);
      const answer = async (loaded: LoadedModel, signal: AbortSignal) => {
        chat ??= createChat(loaded, file.name);
        return chat(request, { ...callOptions, signal });
      };
      return source.inTurn('answer', answer, callOptions.signal);
    },
    close: source.close,
  };
}
