/** Recognises models that an Ollama server forwards, with the text, to another server. */
import { RlmError } from '../../errors.ts';
import type { Json } from '../wire/json.ts';
import type { OllamaTarget } from './errors.ts';

const cloud = 'https://ollama.com';

/** Whether a name is forwarded by newer servers that do not have the model and do not report a remote host. */
const isCloudName = (model: string) => /[:-]cloud$/i.test(model);

/** Returns where a model runs, by its name and /api/show; null for the server itself. */
export function remoteHost({ model, url }: OllamaTarget, shown: Json): string | null {
  const { remote_host: host, remote_model: name } = shown;
  if (typeof host === 'string' && host !== '') return host;
  const isElsewhere = (typeof name === 'string' && name !== '') || isCloudName(model);
  return isElsewhere && new URL(url).hostname !== new URL(cloud).hostname ? cloud : null;
}

/** Returns the notice before the text leaves the machine. */
export const remoteNotice = ({ model, display }: OllamaTarget, remote: string): string =>
  `${model} does not run on ${display} but at ${remote}, where the text is sent`;

/** Creates the error for a remote model that the user did not choose. */
export const unchosenRemote = (target: OllamaTarget, remote: string): RlmError =>
  new RlmError('config-invalid', `the project file names a model that gets the text: ${remoteNotice(target, remote)}`, {
    hint: 'If you want that, name the model yourself with --model or RLM_MODEL, or trust the project (trustedProjects). Else choose another with --model.',
  });
