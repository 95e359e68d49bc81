import { RlmError, toRlmError } from '../../../errors.ts';
import { type Configuration, inspectModel, type PullProgress, pullModelFile } from '../../../index.ts';
import type { Invocation } from '../../command.ts';
import { modelSize } from '../../render/model-list.ts';
import { createPullDisplay } from '../../render/pull-progress.ts';
import { toJson } from '../../terminal.ts';
import { type Request, say } from './request.ts';

/** Writes a line of JSON for each step, and at most five lines per second within a step. */
function createJsonLines({ stdout }: Pick<Invocation, 'stdout'>) {
  const everyMs = 200;
  let shown: PullProgress | null = null;
  let shownAt = 0;
  return {
    onProgress(progress: PullProgress): void {
      const isStep = progress.status !== shown?.status || progress.completedBytes === progress.totalBytes;
      if (!isStep && performance.now() - shownAt < everyMs) return;
      shownAt = performance.now();
      shown = progress;
      stdout.write(toJson({ type: 'progress', ...progress }));
    },
    close(): void {},
  };
}

/** Makes the server download the model. Throws RlmError `usage` when the provider cannot download models. */
export async function pullFromServer(request: Request): Promise<void> {
  const { name, provider, settings, signal, stdout, asJson } = request;
  const { model } = settings;
  if (provider.pull === undefined) {
    throw new RlmError('usage', `only Ollama downloads models by name; the provider is ${name}`, {
      hint: `For Ollama: rlm models pull ${model} --provider ollama. For a file: rlm models pull hf:OWNER/REPO/FILE.gguf`,
    });
  }
  const display = asJson ? createJsonLines(request) : createPullDisplay(request.stderr);
  try {
    await provider.pull({ signal, onProgress: display.onProgress });
  } finally {
    display.close();
  }
  if (asJson) stdout.write(toJson({ type: 'completed', model }));
  else say(request, `downloaded ${model}; to use it: rlm ask "…" --model ${model}`);
}

interface FileRequest extends Pick<Invocation, 'stdout' | 'stderr' | 'options'> {
  readonly from: string;
  readonly configuration: Configuration;
  readonly signal: AbortSignal;
}

/** Returns why the file cannot be run yet, and what to do. Empty when nothing is missing. */
async function missingFor(model: string, { configuration, signal }: FileRequest): Promise<string> {
  const error = await inspectModel(`llama-cpp/${model}`, configuration, signal).then(() => null, toRlmError);
  return error === null ? '' : `${error.message}. ${error.hint}`;
}

/** Downloads a model file and shows how to use it. */
export async function pullModel(request: FileRequest): Promise<void> {
  const { from, configuration, signal, stdout, stderr, options } = request;
  const asJson = options['json'] === true;
  const sha256 = typeof options['sha256'] === 'string' ? options['sha256'] : null;
  const display = asJson ? createJsonLines(request) : createPullDisplay(stderr);
  const pull = () => pullModelFile({ from, sha256, signal, onProgress: display.onProgress }, configuration);
  const file = await pull().finally(display.close);
  if (asJson) return void stdout.write(toJson({ type: 'completed', model: file.name, ...file }));
  const checked = { user: 'as given', server: 'as published by its server', null: 'not published by its server' };
  say(request, `SHA-256 ${file.sha256}, ${checked[`${file.checkedBy}`]}`);
  const missing = await missingFor(file.name, request);
  say(
    request,
    `${file.path} (${modelSize(file.sizeBytes)}) is downloaded; to use it: rlm ask "…" --model ${file.name}`,
  );
  if (missing !== '') say(request, `note: ${missing}`);
}
