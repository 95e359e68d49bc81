/** The reference pages, made from the tables that the code itself uses. */
import { topics } from '../src/cli/run-help.ts';
import type { ToolSpec } from '../src/prompts/message.ts';
import { tools } from '../src/tools/index.ts';
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

function toolSection({ name, about, schema, example }: ToolSpec): string {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, Parameter>>;
    readonly required?: readonly string[];
  };
  const lines = Object.entries(properties).map((one) => parameterLine(one, required));
  const call = `\`\`\`json\n${JSON.stringify(example)}\n\`\`\``;
  return [`## ${name}`, about, ...(lines.length > 0 ? [lines.join('\n')] : []), call].join('\n\n');
}

const toolsPage = (): string =>
  [
    '# Tools',
    'What a model may call when it explores a text (`--strategy explore`). `--tools` restricts them.',
    ...tools.map((tool) => toolSection(toSpec(tool))),
  ].join('\n\n');

/** Every page by its file name in docs/reference/. */
export async function referencePages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const [topic, text] of Object.entries(topics)) {
    const body = (await text()).trimEnd();
    pages.set(
      `${topic}.md`,
      `# ${titles[topic]}\n\nWhat \`rlm help ${topic}\` prints.\n\n\`\`\`text\n${body}\n\`\`\`\n`,
    );
  }
  pages.set('tools.md', `${toolsPage()}\n`);
  return pages;
}
