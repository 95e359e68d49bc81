/**
 * `npm run bench:refine -- [--data ../shared/data] [--first 100]`: how one more round (`refine`) changes answers on
 * MuSiQue, with all passages as one text. It runs without a model and with two scripted ones. The first answers a hop
 * if its passage is shown, and names the hops that it misses. The second does the same and answers wrongly in the
 * second round.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ask, createScriptedProvider, type ModelRequest, type Provider, type Result } from '../src/index.ts';
import type { Variables } from '../src/prompts/index.ts';
import type { Passage } from '../src/state.ts';
import { type HopQuestion, readMusique } from './retrieval/test-sets.ts';

const { values } = parseArgs({
  options: { data: { type: 'string', default: '../shared/data' }, first: { type: 'string', default: '100' } },
});
const data = resolve(values.data);

type Documents = readonly { readonly name: string; readonly text: string }[];
type Strategy = 'direct' | 'decompose';

const plain = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;

const isRight = ({ answer }: Result, { answers }: HopQuestion): boolean =>
  answers.some((gold) => plain(answer ?? '').includes(plain(gold)));

/** The sentence of a passage that has a hop's answer and most of its question; null where no passage shown has it. */
function sentenceFor(question: string, answer: string, passages: readonly Passage[]): string | null {
  const asked = plain(question).trim().split(' ');
  const sentences = passages.flatMap(({ id, text }) =>
    text
      .split(/(?<=[.!?])\s+|\n/)
      .filter((one) => plain(one).includes(plain(answer)))
      .map((one) => ({ said: `${one.trim().replace(/[.!?]+$/, '')} [${id}].`, words: plain(`${text} ${one}`) })),
  );
  const rated = sentences.map((one) => ({
    ...one,
    share: asked.filter((word) => one.words.includes(` ${word} `)).length / asked.length,
  }));
  const best = rated.sort((one, other) => other.share - one.share)[0];
  return best !== undefined && best.share >= 0.5 ? best.said : null;
}

/** The hops of a question, with the answers of earlier hops filled in. */
const hopsOf = ({ hops }: HopQuestion) =>
  hops.map(({ question, answer }) => ({
    answer,
    question: question.replace(/#(\d)/g, (_, number: string) => hops[Number(number) - 1]!.answer),
  }));

/** A model that answers each hop from the passages, as long as the hops before it are answered. */
function scripted(asked: HopQuestion, isWrongLater: boolean): Provider {
  const hops = hopsOf(asked);
  const answered = (text: string) => hops.filter(({ answer }) => plain(text).includes(plain(answer)));
  function answer({ input }: ModelRequest): string {
    const { question, passages } = input.variables as Variables<'answer'>;
    const own = hops.filter((hop) => hop.question === question);
    if (isWrongLater && own.length > 0)
      return `${passages[0]!.text.split(/(?<=\.)\s/)[0]!.trim()} [${passages[0]!.id}]`;
    const found = (own.length > 0 ? own : hops).map((hop) => sentenceFor(hop.question, hop.answer, passages));
    const said = found.slice(0, found.includes(null) ? found.indexOf(null) : found.length);
    return said.length === 0 ? 'The passages do not say.' : said.join(' ');
  }
  function critic({ input }: ModelRequest): object {
    const missing = hops.slice(answered((input.variables as Variables<'critic'>).answer).length);
    const gaps = missing.map(({ question }) => question);
    return { confidenceScore: 50, gaps, uncertainties: [], reasoning: '' };
  }
  const compose = ({ input }: ModelRequest) => ({
    finalAnswer: (input.variables as Variables<'compose'>).parts.map((part) => part.answer ?? '').join(' '),
    assumptions: [],
  });
  return createScriptedProvider({ answer, critic, compose });
}

interface Counts {
  right: number;
  rightAfter: number;
  better: number;
  worse: number;
  tried: number;
  kept: number;
  /** Gaps that were searched for, and gaps of kept answers that were closed. */
  gaps: number;
  closed: number;
}

async function run(
  asked: HopQuestion,
  documents: Documents,
  provider: Provider | null,
  strategy: Strategy,
  refine: number,
): Promise<Result> {
  const stages = { planner: 'never', critic: 'always' } as const;
  const own = provider === null ? ({ provider: 'extractive' } as const) : {};
  const settings = { ...own, strategy, refine, stages, journal: false } as const;
  return ask(asked.text, { documents, settings, env: { HOME: '/nonexistent' }, ...(provider && { provider }) });
}

const openIn = ({ answer }: Result): number => (answer?.match(/^Not found:/gm) ?? []).length;

function count(counts: Counts, before: Result, after: Result, asked: HopQuestion): void {
  const [first, second] = [isRight(before, asked), isRight(after, asked)];
  const rung = after.ladder.find(({ step }) => step === 'refine');
  const gaps = rung === undefined ? 0 : rung.reason.replace(/^open: /, '').split('; ').length;
  const left = (after.recursionTree?.children ?? []).filter(
    ({ strategyReason, answer }) =>
      strategyReason === 'the answer leaves it open' && (answer === null || /do not say|^Not found/.test(answer)),
  );
  counts.right += Number(first);
  counts.rightAfter += Number(second);
  counts.better += Number(!first && second);
  counts.worse += Number(first && !second) + Number(openIn(after) > openIn(before));
  counts.tried += Number(rung !== undefined);
  counts.kept += Number(rung?.isKept === true);
  counts.gaps += gaps;
  counts.closed += rung?.isKept === true ? gaps - left.length : 0;
}

async function measure(
  name: string,
  questions: readonly HopQuestion[],
  documents: Documents,
  make: (asked: HopQuestion) => Provider | null,
  strategy: Strategy,
): Promise<void> {
  const counts: Counts = { right: 0, rightAfter: 0, better: 0, worse: 0, tried: 0, kept: 0, gaps: 0, closed: 0 };
  for (const asked of questions) {
    const before = await run(asked, documents, make(asked), strategy, 0);
    const after = await run(asked, documents, make(asked), strategy, 1);
    count(counts, before, after, asked);
  }
  const { right, rightAfter, better, worse, tried, kept, gaps, closed } = counts;
  console.log(
    `${name}: ${questions.length} questions; right ${right}, with refine ${rightAfter} (better ${better}, worse ${worse}); rounds ${tried}, kept ${kept}; gaps ${gaps}, closed ${closed}`,
  );
}

if (existsSync(resolve(data, 'musique'))) {
  const { documents, queries } = await readMusique(data);
  const texts = documents.map(({ name, bytes }) => ({ name, text: Buffer.from(bytes).toString() }));
  const questions = queries.slice(0, Number(values.first));
  await measure('without a model', questions, texts, () => null, 'direct');
  await measure('scripted, right', questions, texts, (asked) => scripted(asked, false), 'direct');
  await measure('scripted, wrong later', questions, texts, (asked) => scripted(asked, true), 'direct');
} else {
  console.log(`Skipped: ${data} has no musique/; name the folder with --data.`);
}
