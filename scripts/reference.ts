/** The reference pages, made from the tables that the code itself uses. */
import { topics } from '../src/cli/run-help.ts';

const titles: Readonly<Record<string, string>> = {
  'exit-codes': 'Exit statuses',
  environment: 'Environment',
  output: 'Output',
};

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
  return pages;
}
