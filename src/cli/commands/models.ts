import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';

/** What says whose models are meant. */
const whose: readonly string[] = ['provider', 'ollama.host'];

export const modelsCommand: CommandSpec = {
  name: 'models',
  about: 'List the models that are there, show what one can do, and download one.',
  args: [
    {
      name: '<action>',
      about:
        'list, show [NAME] (the configured model where none is named), or pull NAME, hf:OWNER/REPO/FILE.gguf or an address',
      choices: ['list', 'show', 'pull'],
    },
    { name: '[name]', about: 'a model, such as llama3.2:3b', values: 'models' },
  ],
  options: [
    { flags: '--json', about: 'list, show: print JSON; pull: one JSON object for each step' },
    { flags: '--sha256 <sum>', about: 'pull of a file: the SHA-256 that it must have' },
    ...settingOptions((key) => whose.includes(key)),
  ],
  note: [
    'pull has the Ollama server download a model. Ctrl-C ends it; what has come is kept, and the same command goes on',
    'there. Of other providers, list and show tell what their servers tell. pull hf:OWNER/REPO/FILE.gguf, or the https',
    'address of a .gguf file, downloads it for the provider llama-cpp: it goes on where it stopped, the SHA-256 that the',
    'server tells (or --sha256) is checked, and --model FILE.gguf then names it. HF_ENDPOINT may name a mirror.',
  ].join('\n'),
  examples: [
    ['rlm models list', 'every model: size, window, what it can do; * is the one that answers'],
    ['rlm models show llama3.2:3b', 'its window and weights, and what rlm would do with it'],
    ['rlm models pull llama3.2:3b', 'download it'],
    [
      'rlm models pull hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF/qwen2.5-1.5b-instruct-q4_k_m.gguf',
      'a model file (1.1 GB) for a machine without Ollama',
    ],
  ],
  run: async (invocation) => (await import('../actions/models/models.ts')).runModels(invocation),
};
