/**
 * Measures answers to questions about records without a language model: how often a question translates to SQL, how
 * often the result is stated, and how often it is right (scripts/records). `--half test` or `--half dev` measures one half; `--show`
 * prints the answers, and `--silent` the questions without one.
 *
 *   npm run bench:records
 *   npm run bench:records -- --squad ../shared/data    also asks natural questions on prose, which must get no answer
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { type CompiledSqlite, startSqlite } from '../src/query/sqlite/start.ts';
import { type Article, readArticles } from './fitting/cases.ts';
import {
  type Outcome,
  type RecordsQuestion,
  readQuestions,
  readText,
  scoreOf,
  translateOver,
} from './records/score.ts';

const { values } = parseArgs({
  options: {
    half: { type: 'string' },
    show: { type: 'boolean', default: false },
    silent: { type: 'boolean', default: false },
    squad: { type: 'string' },
  },
});

const wasm = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
const { Module } = (globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => CompiledSqlite } })
  .WebAssembly;
/** In MB. All questions' databases stay in the memory of one SQLite instance. */
const memoryMb = 3_000;
const sqlite = await startSqlite(new Module(readFileSync(wasm)), memoryMb);

const tables: readonly string[] = ['csv', 'jsonl', 'markdown'];

interface Scored extends RecordsQuestion {
  readonly outcome: Outcome;
  /** Whether the result is stated. If not, its SQL is proposed. */
  readonly isStated: boolean;
}

function score(asked: RecordsQuestion): Scored {
  const translation = translateOver(sqlite, [readText(asked.text)], asked.ask);
  const outcome = scoreOf(asked, translation);
  const { translated } = translation;
  if (outcome === 'silent' ? values.silent && asked.want !== undefined : values.show || outcome === 'wrong')
    console.log(
      `${outcome} · ${asked.ask} · wanted ${asked.want ?? 'nothing'}\n  ${translated?.words ?? ''}\n  ${translated?.sql ?? ''}`,
    );
  return { ...asked, outcome, isStated: translated?.isExact ?? false };
}

function row(name: string, scored: readonly Scored[]): string {
  const counted = (of: readonly Scored[]) =>
    (['right', 'wrong'] as const).map((one) => of.filter(({ outcome }) => outcome === one).length).join(' | ');
  const answerable = scored.filter(({ want }) => want !== undefined).length;
  return `| ${name} | ${scored.length} | ${answerable} | ${counted(scored)} | ${counted(scored.filter((one) => one.isStated))} |`;
}

function measure(half: 'dev' | 'test'): void {
  const scored = readQuestions(half).map(score);
  console.log(
    `\n${half}\n\n| records | questions | answerable | translated: right | wrong | stated: right | wrong |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |`,
  );
  for (const kind of new Set(scored.map((one) => one.kind)))
    console.log(
      row(
        kind,
        scored.filter((one) => one.kind === kind),
      ),
    );
  console.log(
    row(
      'tables',
      scored.filter(({ kind }) => tables.includes(kind)),
    ),
  );
  console.log(row('all', scored));
}

/** Asks each article's natural questions about the article and about each text of records. */
function measureSquad(articles: readonly Article[]): void {
  let [asked, spoken, spokenOverRecords] = [0, 0, 0];
  const texts = [...new Set(readQuestions('dev').map(({ text }) => text))];
  for (const [place, { title, paragraphs }] of articles.entries()) {
    const article = { name: `${title}.txt`, bytes: Buffer.from(paragraphs.map(({ text }) => text).join('\n\n')) };
    const other = readText(texts[place % texts.length]!);
    for (const { question } of paragraphs.flatMap(({ questions }) => questions)) {
      asked++;
      for (const document of [article, other]) {
        const { translated } = translateOver(sqlite, [document], question);
        if (translated === null) continue;
        if (document === article) spoken++;
        else spokenOverRecords++;
        console.log(`${document.name} · ${question}\n  ${translated.words}\n  ${translated.sql}`);
      }
    }
  }
  console.log(
    `\n${asked} natural questions: spoken ${spoken} times about their articles, ${spokenOverRecords} times about records.`,
  );
}

for (const half of ['dev', 'test'] as const) if (values.half === undefined || values.half === half) measure(half);
if (values.squad !== undefined)
  measureSquad([...readArticles(values.squad, 'fitted'), ...readArticles(values.squad, 'held out')]);
