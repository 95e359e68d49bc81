import type { Help } from 'commander';
import { providerNames } from '../config/provider-traits.ts';
import { strategyNames } from '../state.ts';
import type { ArgumentSpec, CommandSpec, OptionGroup, OptionSpec } from './command.ts';

type FormatItem = (term: string, width: number, about: string) => string;

const isOnFirstPage = ({ group, brief }: OptionSpec): boolean => group === undefined || brief !== undefined;

const firstExamples = 3;

/** A page of at most this many lines is shown with all options, even without `--all`. */
const pageLines = 40;

const examplesText = ({ examples }: CommandSpec, isWhole: boolean): string =>
  `\nExamples:\n${(isWhole ? examples : examples.slice(0, firstExamples))
    .map(([line, about]) => `  $ ${line}\n${isWhole ? `      ${about}\n` : ''}`)
    .join('')}`;

function sections(spec: CommandSpec, options: readonly OptionSpec[], gap: string, format: FormatItem): string {
  const itemsOf = (members: readonly OptionSpec[]) => members.map(({ flags, about }) => ({ name: flags, about }));
  const groups = groupOptions(options).map(([title, members]) => ({ title, items: itemsOf(members) }));
  const blocks = [...(spec.args.length > 0 ? [{ title: 'Arguments', items: spec.args }] : []), ...groups];
  const width = Math.max(0, ...blocks.flatMap(({ items }) => items.map(({ name }) => name.length)));
  const linesOf = (items: readonly ArgumentSpec[]) => items.map(({ name, about }) => `${format(name, width, about)}\n`);
  return blocks.map(({ title, items }) => `${title}:\n${linesOf(items).join('')}`).join(gap);
}

/** Returns the help page of a command. `isWhole`: whether to show every option with its full description. */
export function helpPage(spec: CommandSpec, options: readonly OptionSpec[], isWhole: boolean, helper: Help): string {
  const usage = ['rlm', spec.name, '[options]', ...spec.args.map(({ name }) => name)].join(' ');
  const format: FormatItem = (term, width, about) => helper.formatItem(term, width, about, helper);
  const prose = (text: string) => helper.boxWrap(text.replaceAll('\n', ' '), helper.helpWidth ?? 80);
  const head = `Usage: ${usage}\n\n${prose(spec.about)}\n\n`;
  const note = spec.note ? `\n${prose(spec.note)}\n` : '';
  const whole = `${head}${sections(spec, options, '\n', format)}${note}${examplesText(spec, true)}`;
  if (isWhole || whole.split('\n').length <= pageLines || options.every(isOnFirstPage)) return whole;
  const brief = options.filter(isOnFirstPage).map((option) => ({ ...option, about: option.brief ?? option.about }));
  const body = sections(spec, brief, '', format);
  return `${head}${body}${examplesText(spec, false)}\nAll options and more examples: rlm ${spec.name} --help --all\n`;
}

/** The groups in the order of the help page. A setting is in the group that lists the first part of its key. */
const settingGroups: Readonly<Record<OptionGroup, readonly string[]>> = {
  question: ['strategy', 'refine', 'failCount', 'role', 'system', 'prompts', 'reasoner', 'tools'],
  text: ['context', 'retrieval', 'embedding', 'inputs'],
  model: ['provider', 'model', 'recursive', 'preset', 'visionModel', 'seed', 'reasoning', 'ollama'],
  limits: ['budget', 'minConfidence', 'failOn', 'evidence'],
  output: ['schema'],
  keeping: ['journal', 'cache', 'audit', 'log'],
};

const groupNames = Object.keys(settingGroups) as OptionGroup[];

const settingBriefs: Readonly<Record<string, string>> = {
  strategy: ['auto', ...strategyNames].join(', ').replace(/, ([^,]*)$/, ' or $1'),
  role: 'role to add to the prompts (see rlm roles)',
  provider: providerNames.join(', '),
  model: 'name of the model, or a GGUF file',
  'budget.maxCalls': 'model calls in the whole run',
  'budget.maxCost': 'money for the whole run, in USD',
  'budget.timeout': 'time for the whole run, in seconds',
  minConfidence: 'exit with 7 below this confidence (0–100)',
  failOn: 'not-found: exit with 7 when the text lacks the answer',
  system: 'words to add to the prompts: "Answer in French."',
  schema: 'the answer as JSON that conforms to a JSON Schema',
  journal: 'keep no journal; the run cannot be resumed then',
};

export function settingPlace(key: string): Pick<OptionSpec, 'group' | 'brief'> {
  const group = groupNames.find((name) => settingGroups[name].includes(key.split('.')[0]!));
  const brief = settingBriefs[key];
  return { ...(group && { group }), ...(brief && { brief }) };
}

/** Groups options under titles. The command's own options come first. Empty groups are omitted. */
export function groupOptions(options: readonly OptionSpec[]): [title: string, options: OptionSpec[]][] {
  const titleOf = (group = 'options') => group[0]!.toUpperCase() + group.slice(1);
  const groups = [undefined, ...groupNames].map((name): [string, OptionSpec[]] => {
    return [titleOf(name), options.filter(({ group }) => group === name)];
  });
  return groups.filter(([, members]) => members.length > 0);
}
