/** The help page of a command, with its most important options, or with `--all` every option. */
import type { Help } from 'commander';
import { providerNames } from '../config/provider-traits.ts';
import { strategyNames } from '../state.ts';
import type { CommandSpec, OptionGroup, OptionSpec } from './command.ts';

/** Formats a term with its description, wrapped to the width. */
type FormatItem = (term: string, width: number, about: string) => string;

const isFirst = ({ group, brief }: OptionSpec): boolean => group === undefined || brief !== undefined;

/** Returns the options of the first page, with their brief texts. */
const firstOptions = (options: readonly OptionSpec[]): OptionSpec[] =>
  options.filter(isFirst).map((option) => ({ ...option, about: option.brief ?? option.about }));

const firstExamples = 3;

/** Help of at most this many lines is shown completely. */
const pageLines = 40;

const briefExamples = ({ examples }: CommandSpec): string =>
  `\nExamples:\n${examples
    .slice(0, firstExamples)
    .map(([line]) => `  $ ${line}\n`)
    .join('')}`;

const wholeExamples = ({ examples }: CommandSpec): string =>
  `\nExamples:\n${examples.map(([line, about]) => `  $ ${line}\n      ${about}\n`).join('')}`;

function sections(spec: CommandSpec, options: readonly OptionSpec[], gap: string, format: FormatItem): string {
  const groups = groupOptions(options);
  const terms = [...spec.args, ...options].map((one) => ('flags' in one ? one.flags : one.name));
  const width = Math.max(0, ...terms.map((term) => term.length));
  const block = (title: string, items: readonly string[]) => `${title}:\n${items.map((item) => `${item}\n`).join('')}`;
  const argumentItems = spec.args.map(({ name, about }) => format(name, width, about));
  return [
    ...(argumentItems.length > 0 ? [block('Arguments', argumentItems)] : []),
    ...groups.map(([title, members]) =>
      block(
        title,
        members.map(({ flags, about }) => format(flags, width, about)),
      ),
    ),
  ].join(gap);
}

/**
 * Returns the help of a command.
 * @param options the options of the command, including those that every command has.
 * @param isWhole whether every option is shown with its full description.
 */
export function helpPage(spec: CommandSpec, options: readonly OptionSpec[], isWhole: boolean, helper: Help): string {
  const usage = ['rlm', spec.name, '[options]', ...spec.args.map(({ name }) => name)].join(' ');
  const format: FormatItem = (term, width, about) => helper.formatItem(term, width, about, helper);
  const prose = (text: string) => helper.boxWrap(text.replaceAll('\n', ' '), helper.helpWidth ?? 80);
  const head = `Usage: ${usage}\n\n${prose(spec.about)}\n\n`;
  const note = spec.note ? `\n${prose(spec.note)}\n` : '';
  const whole = `${head}${sections(spec, options, '\n', format)}${note}${wholeExamples(spec)}`;
  if (isWhole || whole.split('\n').length <= pageLines || options.every(isFirst)) return whole;
  const body = sections(spec, firstOptions(options), '', format);
  return `${head}${body}${briefExamples(spec)}\nAll options and more examples: rlm ${spec.name} --help --all\n`;
}

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
  visionModel: 'model',
  seed: 'model',
  reasoning: 'model',
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
