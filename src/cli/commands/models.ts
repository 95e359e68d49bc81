import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';

/** The settings that select the server. */
const whose: readonly string[] = ['provider', 'ollama.host'];

export const modelsCommand: CommandSpec = {
  name: 'models',
  about: 'List the available models, show the details of a model, or download a model.',
  args: [
    {
      name: '<action>',
      about: 'list, show [NAME] (default: the configured model), or pull NAME, hf:OWNER/REPO/FILE.gguf or a URL',
      choices: ['list', 'show', 'pull'],
    },
    { name: '[name]', about: 'a model, such as llama3.2:3b', values: 'models' },
  ],
  options: [
    { flags: '--json', about: 'list, show: print JSON; pull: one JSON object for each step' },
    { flags: '--sha256 <sum>', about: 'pull of a file: the expected SHA-256' },
    ...settingOptions((key) => whose.includes(key)),
  ],
  note: [
    'pull NAME makes the Ollama server download a model. Ctrl-C stops it, and the same command continues the download.',
    'For other providers, list and show print what their servers report. pull hf:OWNER/REPO/FILE.gguf, or the https URL',
    'of a .gguf file, downloads the file for the provider llama-cpp. It continues a partial download and checks the',
    'SHA-256 from the server or --sha256. Use the file with --model FILE.gguf. HF_ENDPOINT may name a mirror.',
  ].join('\n'),
  examples: [
    ['rlm models list', 'list every model: size, window, capabilities; * marks the configured model'],
    ['rlm models show llama3.2:3b', 'show its window and weights, and how rlm would use it'],
    ['rlm models pull llama3.2:3b', 'download a model'],
    [
      'rlm models pull hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF/qwen2.5-1.5b-instruct-q4_k_m.gguf',
      'download a model file (1.1 GB) for a machine without Ollama',
    ],
  ],
  run: async (invocation) => (await import('../actions/models/models.ts')).runModels(invocation),
};
