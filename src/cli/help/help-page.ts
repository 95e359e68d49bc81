/** The help page of a command, with its most important options, or with `--all` every option. */
import type { Help } from 'commander';
import type { CommandSpec, OptionSpec } from '../command.ts';
import { groupOptions } from './option-groups.ts';

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
  const head = `Usage: ${usage}\n\n${helper.boxWrap(spec.about, helper.helpWidth ?? 80)}\n\n`;
  const note = spec.note ? `\n${spec.note}\n` : '';
  const whole = `${head}${sections(spec, options, '\n', format)}${note}${wholeExamples(spec)}`;
  if (isWhole || whole.split('\n').length <= pageLines || options.every(isFirst)) return whole;
  const body = sections(spec, firstOptions(options), '', format);
  return `${head}${body}${briefExamples(spec)}\nAll options and more examples: rlm ${spec.name} --help --all\n`;
}
