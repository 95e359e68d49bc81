/** Generates the reference pages from the tables that the code uses. */
import { topics } from '../src/cli/actions/help.ts';
import type { CommandSpec, OptionSpec } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands/index.ts';
import { groupOptions } from '../src/cli/help.ts';
import type { ToolSpec } from '../src/prompts/prompt.ts';
import { chooseTools, tools } from '../src/tools/index.ts';
import { toSpec } from '../src/tools/toolbox.ts';

const titles: Readonly<Record<string, string>> = {
  'exit-codes': 'Exit statuses',
  environment: 'Environment',
  output: 'Output',
};

interface Parameter {
  readonly type?: string;
  readonly description?: string;
}

function parameterLine([name, { type, description }]: [string, Parameter], required: readonly string[]): string {
  const kind = required.includes(name) ? type : `${type}, may be left out`;
  return `- \`${name}\` (${kind})${description ? `: ${description}` : ''}`;
}

const everything = { allow: null, documentCount: 2, hasCode: true, hasRecords: true, mayRecurse: true };

/** Conditions that make tools unavailable, each with the names of the remaining tools. */
const conditions: readonly (readonly [left: ReadonlySet<string>, words: string])[] = [
  [namesOf({ documentCount: 1 }), 'Only where there is more than one document or file.'],
  [namesOf({ hasCode: false }), 'Only where the text is code.'],
  [namesOf({ hasRecords: false }), 'Only where a good part of the text is records.'],
  [namesOf({ mayRecurse: false }), 'Only above the depth limit (`--max-depth`).'],
];

function namesOf(missing: object): ReadonlySet<string> {
  return new Set(chooseTools({ ...everything, ...missing }).map(({ name }) => name));
}

function toolSection({ name, about, schema, example }: ToolSpec): string {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, Parameter>>;
    readonly required?: readonly string[];
  };
  const lines = Object.entries(properties).map((one) => parameterLine(one, required));
  const call = `\`\`\`json\n${JSON.stringify(example)}\n\`\`\``;
  const when = conditions.filter(([left]) => !left.has(name)).map(([, words]) => words);
  return [`## ${name}`, [about, ...when].join(' '), ...(lines.length > 0 ? [lines.join('\n')] : []), call].join('\n\n');
}

const aboutFiles = `Files are read only under the paths that are named on the command line and with \`--root\`, with every link resolved and what was
opened checked. What \`.gitignore\` and \`.rlmignore\` name, and files that commonly hold secrets, are left alone unless they are named themselves, or
with \`tools.readIgnored\` (\`RLM_READ_IGNORED\`). A hard link is a file of the folder that it is in, wherever its other names are. What \`read_file\` and \`grep\` show
can be cited, as the text can.`;

const toolsPage = (): string =>
  [
    '# Tools',
    'What a model may call when it explores a text (`--strategy explore`). `--tools` restricts them; `final_answer` is always there.',
    "The results of a step share room: about half of the model's window, at most `tools.maxCharacters`. What a short result leaves, a longer one gets. A result says what it leaves out, with the argument that shows it. Answers of sub-queries are never cut.",
    aboutFiles,
    ...tools.map((tool) => toolSection(toSpec(tool))),
  ].join('\n\n');

const optionLine = ({ flags, about, choices }: OptionSpec): string =>
  `- \`${flags}\`: ${about}${choices ? ` (${choices.join(', ')})` : ''}`;

function commandSection({ name, about, args, options, note, examples }: CommandSpec): string {
  const usage = ['rlm', name, '[options]', ...args.map((arg) => arg.name)].join(' ');
  return [
    `## rlm ${name}`,
    about,
    `\`\`\`sh\n${usage}\n\`\`\``,
    ...(args.length > 0 ? [args.map((arg) => `- \`${arg.name}\`: ${arg.about}`).join('\n')] : []),
    ...groupOptions(options).flatMap(([title, members]) => [`### ${title}`, members.map(optionLine).join('\n')]),
    ...(note ? [note] : []),
    '### Examples',
    `\`\`\`sh\n${examples.map(([line, does]) => `# ${does}\n${line}`).join('\n')}\n\`\`\``,
  ].join('\n\n');
}

const commandsPage = (): string =>
  [
    '# Commands',
    'What `rlm <command> --help --all` says of each. `--color` and `--help` are options of every command.',
    ...commands.map(commandSection),
  ].join('\n\n');

/** Returns every page by its file name in docs/reference/. */
export async function referencePages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const [topic, text] of Object.entries(topics)) {
    const body = (await text()).trimEnd();
    pages.set(
      `${topic}.md`,
      `# ${titles[topic]}\n\nWhat \`rlm help ${topic}\` prints.\n\n\`\`\`text\n${body}\n\`\`\`\n`,
    );
  }
  pages.set('commands.md', `${commandsPage()}\n`);
  pages.set('tools.md', `${toolsPage()}\n`);
  return pages;
}
