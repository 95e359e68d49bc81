import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ask, type Context, openContext, type Result } from '../../src/index.ts';

const cwd = resolve(import.meta.dirname, '../..');
const options = { settings: { provider: 'extractive' }, cwd, env: {} } as const;

/** Each folder is read and indexed only once, for all questions about it. */
const opened = new Map<string, Promise<Context>>();
afterAll(async () => {
  for (const context of opened.values()) await (await context).close();
});

async function askExample(question: string, path: string): Promise<Result> {
  const context = opened.get(path) ?? openContext({ ...options, paths: [`examples/${path}`] });
  opened.set(path, context);
  return ask(question, { ...options, context: await context });
}

/** Whether a citation is at most two lines away from a fact such as `approvals.md:12`. */
function isCited({ citations }: Result, folder: string, fact: string): boolean {
  const [file, line] = fact.split(':');
  return citations.some(
    ({ source, startLine, endLine }) =>
      source === `examples/${folder}/${file}` && startLine - 2 <= Number(line) && Number(line) <= endLine + 2,
  );
}

describe('without a model, the examples', () => {
  // The facts in the README files of the examples that word matching can find.
  it.each([
    ['handbook', "How long is a customer's data kept after they leave?", ['data-retention.md:27']],
    [
      'handbook',
      'May a fix for a critical vulnerability be released during a freeze, who has to agree, and how fast must it be fixed?',
      ['release-process.md:49', 'security.md:47', 'security.md:48'],
    ],
    [
      'handbook',
      'Can a contractor make changes in production, for how long, and what has to happen first?',
      ['access-requests.md:12'],
    ],
    [
      'handbook',
      'What happens to on-call, accounts and the telephone allowance of somebody on parental leave of 20 weeks?',
      ['leave.md:51'],
    ],
    [
      'handbook',
      'When must personal data incidents be reported, to whom, and how long is evidence kept?',
      ['incident-response.md:14', 'incident-response.md:52', 'data-retention.md:17'],
    ],
    [
      'refactoring/src',
      'Where are dates computed without the date helper, and which use local time?',
      ['order-service.ts:103', 'notifications.ts:23'],
    ],
    ['refactoring/src', 'What happens to a business customer with a VAT id at home?', ['order-service.ts:94']],
    ['incident', 'How was the outage fixed?', ['postmortem-draft.md:41']],
    ['incident', 'When did the outage end?', ['postmortem-draft.md:43']],
    [
      'incident',
      'Did the certificate warning or the disk warning have anything to do with the outage?',
      ['timeline.md:15'],
    ],
  ])('%s: %s', async (folder, question, facts) => {
    const result = await askExample(question, folder);
    expect(facts.filter((fact) => !isCited(result, folder, fact))).toEqual([]);
  });

  describe.each(['handbook', 'incident', 'refactoring/src'])('%s', (folder) => {
    it.each(['What is the capital of France?', 'Who won the football match?', 'How do I bake bread?'])(
      'do not answer %s',
      async (question) => {
        const { answer, citations } = await askExample(question, folder);
        expect(answer).toMatch(/^Not found: /);
        expect(citations).toEqual([]);
      },
    );
  });
});
