/** The option groups of help, manual and reference, and the group of each setting's flag. */
import { providerNames, strategyNames } from '../../index.ts';
import type { OptionGroup, OptionSpec } from '../command.ts';

const titles: Readonly<Record<OptionGroup, string>> = {
  question: 'Question',
  text: 'Text',
  model: 'Model',
  limits: 'Limits',
  output: 'Output',
  keeping: 'Keeping',
};

/** The groups of settings, by the first part of their keys. */
const settingGroups: Readonly<Record<string, OptionGroup>> = {
  strategy: 'question',
  refine: 'question',
  failCount: 'question',
  role: 'question',
  system: 'question',
  prompts: 'question',
  reasoner: 'question',
  tools: 'question',
  context: 'text',
  retrieval: 'text',
  embedding: 'text',
  inputs: 'text',
  provider: 'model',
  model: 'model',
  recursive: 'model',
  preset: 'model',
  seed: 'model',
  ollama: 'model',
  budget: 'limits',
  minConfidence: 'limits',
  failOn: 'limits',
  evidence: 'limits',
  schema: 'output',
  journal: 'keeping',
  cache: 'keeping',
  audit: 'keeping',
  log: 'keeping',
};

/** The short descriptions of settings on the first page of help. */
const settingBriefs: Readonly<Record<string, string>> = {
  strategy: ['auto', ...strategyNames].join(', ').replace(/, ([^,]*)$/, ' or $1'),
  role: 'role to add to the prompts (see rlm roles)',
  provider: providerNames.join(', '),
  model: 'its name, or a GGUF file',
  'budget.maxCalls': 'model calls in the whole run',
  'budget.maxCost': 'money for the whole run, in USD',
  'budget.timeout': 'time for the whole run, in seconds',
  minConfidence: 'exit with 7 when the confidence is lower (0–100)',
  failOn: 'not-found: exit with 7 when the text does not say',
  system: 'words to add to the prompts: "Answer in French."',
  schema: 'the answer as JSON that conforms to a JSON Schema',
  journal: 'keep no journal of the run; it cannot be resumed then',
};

/** Returns the group and the brief text of a setting's flag. */
export function settingPlace(key: string): Pick<OptionSpec, 'group' | 'brief'> {
  const group = settingGroups[key.split('.')[0]!];
  const brief = settingBriefs[key];
  return { ...(group ? { group } : {}), ...(brief ? { brief } : {}) };
}

/** Groups options under titles: the command's own options first, then the groups in order, without empty groups. */
export function groupOptions(options: readonly OptionSpec[]): [title: string, options: OptionSpec[]][] {
  const own = options.filter(({ group }) => group === undefined);
  const groups = Object.entries(titles).map(([name, title]): [string, OptionSpec[]] => [
    title,
    options.filter(({ group }) => group === name),
  ]);
  return [['Options', own] as [string, OptionSpec[]], ...groups].filter(([, members]) => members.length > 0);
}
