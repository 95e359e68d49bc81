/**
 * Asks questions of public data with a real model, and appends the signals and the label of each answer to
 * scripts/confidence/answers.jsonl. Each question is answered once (the reply is cached) and judged once by the critic.
 *
 *   tsx scripts/confidence/collect.ts --group able --base-url http://127.0.0.1:4100/v1 --model NAME --part 0/4
 *   tsx scripts/confidence/collect.ts --group small --provider llama-cpp --model FILE.gguf
 */
import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ask } from '../../src/api/ask.ts';
import { readArticles } from '../fitting/cases.ts';
import { signalsIn } from './signals.ts';

const { values } = parseArgs({
  options: {
    group: { type: 'string', default: 'able' },
    provider: { type: 'string', default: 'openai' },
    'base-url': { type: 'string', default: '' },
    model: { type: 'string', default: '' },
    part: { type: 'string', default: '0/1' },
    most: { type: 'string', default: '160' },
    out: { type: 'string', default: fileURLToPath(new URL('answers.jsonl', import.meta.url)) },
    at: { type: 'string', default: '1' },
  },
});

/** A question about a text, with its right answers; none if the text does not answer it. */
interface Asked {
  readonly id: string;
  /** Questions about the same text are in the same half. */
  readonly half: 'fitted' | 'held out';
  readonly question: string;
  readonly answers: readonly string[];
  readonly document: { readonly name: string; readonly text: string };
}

const data = fileURLToPath(new URL('../../../shared/data', import.meta.url));

/** Returns evenly spaced questions about articles; some are not answerable. */
function fromArticles(half: Asked['half'], count: number): Asked[] {
  return readArticles(data, half).flatMap((article, number) => {
    const document = { name: `article-${number}.txt`, text: article.paragraphs.map(({ text }) => text).join('\n\n') };
    const all = article.paragraphs.flatMap(({ questions }) => questions);
    const step = Math.max(1, Math.floor(all.length / count));
    return Array.from({ length: count }, (_, index) => (index * step + (index % 2)) % all.length).map(
      (place, index): Asked => {
        const { question, answerable, answers } = all[place]!;
        const right = answerable ? answers.map(({ text }) => text) : [];
        return { id: `${half} ${number}.${index}`, half, question, answers: right, document };
      },
    );
  });
}

/** Returns questions of several hops over all passages; every second one is held out. */
function fromHops(count: number): Asked[] {
  const corpus: { title: string; text: string }[] = JSON.parse(readFileSync(join(data, 'musique/corpus.json'), 'utf8'));
  const text = corpus.map((one) => `# ${one.title}\n\n${one.text}`).join('\n\n');
  const all: { id: string; question: string; answer: string; answer_aliases: string[] }[] = JSON.parse(
    readFileSync(join(data, 'musique/questions.json'), 'utf8'),
  );
  return all.slice(0, count).map(({ id, question, answer, answer_aliases: aliases }, index) => ({
    id,
    half: index % 2 === 0 ? 'fitted' : 'held out',
    question,
    answers: [answer, ...aliases],
    document: { name: 'wiki.md', text },
  }));
}

const plain = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `;

/** Whether an answer is right: it states a right answer, or says correctly that the text does not answer. */
function isRight({ answers }: Asked, answer: string | null, tells: string | null): boolean {
  const isDenied = answer === null || tells === 'nothing';
  if (answers.length === 0) return isDenied;
  return !isDenied && answers.some((one) => plain(answer).includes(plain(one)));
}

const state = mkdtempSync(join(tmpdir(), 'confidence-'));
const common = {
  provider: values.provider as 'openai',
  model: values.model,
  ...(values['base-url'] === '' ? {} : { openai: { baseUrl: values['base-url'], apiKey: 'none' } }),
  strategy: values.group === 'small' ? 'auto' : 'direct',
  refine: 0,
  cache: { enabled: true },
  stateFolder: state,
  budget: { timeout: 7_200, callTimeout: 3_600 },
} as const;

async function collect(asked: Asked): Promise<void> {
  const documents = [{ name: asked.document.name, text: asked.document.text }];
  const answered = await ask(asked.question, {
    documents,
    settings: { ...common, stages: { critic: values.group === 'small' ? 'auto' : 'never' } },
  });
  const rows = [{ isChecked: false, result: answered }];
  if (values.group !== 'small' && answered.answer !== null)
    rows.push({
      isChecked: true,
      result: await ask(asked.question, { documents, settings: { ...common, evidence: { check: 'model' } } }),
    });
  for (const { isChecked, result } of rows) {
    const { answer, tells, error } = result;
    if (error !== null) console.error(asked.id, error.code, error.message);
    const row = {
      group: values.group,
      id: asked.id,
      half: asked.half,
      isChecked,
      right: isRight(asked, answer, tells),
      signals: signalsIn(result),
    };
    if (error === null) appendFileSync(values.out, `${JSON.stringify(row)}\n`);
  }
  console.log(
    asked.id,
    rows.map(({ result }) => `${result.tells} ${result.confidence}`).join(' | '),
    isRight(asked, answered.answer, answered.tells),
    JSON.stringify(answered.answer?.slice(0, 120)),
    asked.answers[0] ?? '(none)',
  );
}

const [part, parts] = values.part.split('/').map(Number) as [number, number];
const perArticle = Math.ceil(Number(values.most) / 16);
const all = [
  ...fromArticles('fitted', perArticle),
  ...fromArticles('held out', perArticle),
  ...fromHops(Number(values.most) / 2),
];
const own = all.filter((_, index) => index % parts === part);
let next = 0;
async function work(): Promise<void> {
  for (let asked = own[next++]; asked !== undefined; asked = own[next++]) await collect(asked);
}
await Promise.all(Array.from({ length: Number(values.at) }, work));
