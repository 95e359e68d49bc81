/** The models of the local Ollama server, described like those of the real one. */

/** A model that the server has. */
export interface ServerModel {
  readonly name: string;
  /** `completion` and `tools` by default. */
  readonly capabilities?: readonly string[];
  /** The reported values of `think`; left out: none. */
  readonly thinks?: readonly (boolean | string)[];
  /** In tokens; null: /api/show does not report it. */
  readonly contextLength?: number | null;
  /** The details that /api/show reports. */
  readonly modelfile?: string;
  /** The server to which it sends the text. */
  readonly remoteHost?: string;
  /** `qwen2` by default; `gptoss` always thinks. */
  readonly family?: string;
  /** The number of weights that /api/show reports; `14.8B` by default. */
  readonly parameterSize?: string;
  /** In bytes. */
  readonly size?: number;
}

const detailsOf = ({ family = 'qwen2', parameterSize = '14.8B' }: ServerModel) => ({
  parent_model: '',
  format: 'gguf',
  family,
  families: [family],
  parameter_size: parameterSize,
  quantization_level: 'Q4_K_M',
});

export const withLatest = (name: string) => (name.includes(':') ? name : `${name}:latest`);

/** Matches names that the real server accepts. */
export const isName = (name: string) => /^[\w.:/-]+$/.test(name);

/** Returns a model's entry in /api/tags. */
export const listModel = (model: ServerModel): object => ({
  name: withLatest(model.name),
  model: withLatest(model.name),
  modified_at: '2026-01-01T00:00:00Z',
  size: model.size ?? 1,
  digest: '0d948b06e2d18225ac6057be4a81b7e88d002226a075e29a4cd7b0efb3d55cbd',
  details: detailsOf(model),
});

/** Returns the description of a model by /api/show. */
export function describeModel(model: ServerModel): object {
  const {
    capabilities = ['completion', 'tools'],
    contextLength = 32_768,
    remoteHost,
    modelfile = '# Modelfile',
  } = model;
  const length = contextLength === null ? {} : { 'qwen2.context_length': contextLength };
  return {
    modelfile,
    parameters:
      'num_ctx                        4096\nstop                           "<|im_start|>"\nstop                           "<|im_end|>"',
    template: '{{ .Prompt }}',
    details: detailsOf(model),
    model_info: { 'general.architecture': 'qwen2', ...length },
    capabilities,
    ...(model.thinks === undefined ? {} : { thinking: { values: model.thinks } }),
    ...(remoteHost === undefined ? {} : { remote_host: remoteHost, remote_model: model.name }),
    modified_at: '2026-01-01T00:00:00Z',
  };
}

const levels: readonly unknown[] = ['low', 'medium', 'high'];

/** Returns why the real server (0.13.5) refuses a chat request with 400 before it reads the prompt; null if not. */
export function refusalOf(model: ServerModel, body: Readonly<Record<string, unknown>>): string | null {
  const { name, capabilities = ['completion', 'tools'], family } = model;
  const { think, tools, top_logprobs: top } = body;
  if (!capabilities.includes('completion')) return `"${name}" does not support chat`;
  if (typeof think === 'string' && !levels.includes(think)) {
    return `invalid think value: "${think}" (must be "high", "medium", "low", true, or false)`;
  }
  if (typeof top === 'number' && (top < 0 || top > 20)) return 'top_logprobs must be between 0 and 20';
  if (think !== undefined && think !== false && !capabilities.includes('thinking')) {
    return `"${name}" does not support thinking`;
  }
  if (Array.isArray(tools) && tools.length > 0 && !capabilities.includes('tools')) {
    return `registry.ollama.ai/library/${withLatest(name)} does not support tools`;
  }
  if (typeof think === 'string' && family !== 'gptoss' && !model.thinks?.includes(think))
    return `think value "${think}" is not supported for this model`;
  return null;
}
