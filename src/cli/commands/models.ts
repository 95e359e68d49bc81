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
      about: 'list, show [NAME] (the configured model where none is named), or pull NAME',
      choices: ['list', 'show', 'pull'],
    },
    { name: '[name]', about: 'a model, such as llama3.2:3b', values: 'models' },
  ],
  options: [
    { flags: '--json', about: 'list, show: print JSON; pull: one JSON object for each step' },
    ...settingOptions((key) => whose.includes(key)),
  ],
  note: [
    'pull has the Ollama server download a model. Ctrl-C ends it; what has come is kept, and the same command goes on',
    'there. Of other providers, list and show tell what their servers tell.',
  ].join('\n'),
  examples: [
    ['rlm models list', 'every model: size, window, what it can do; * is the one that answers'],
    ['rlm models show llama3.2:3b', 'its window and weights, and what rlm would do with it'],
    ['rlm models pull llama3.2:3b', 'download it'],
  ],
  run: async (invocation) => (await import('../actions/models/models.ts')).runModels(invocation),
};
