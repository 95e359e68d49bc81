/** Tests replies that are broken in every way: each is classified, and none is silently wrong. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PromptName, prompts } from '../../src/prompts/index.ts';
import { type ParsedReply, parseReply } from '../../src/prompts/reply/read-reply.ts';
import { createRandom } from '../random.ts';
import type { Check, Findings } from './check.ts';

type Class = ParsedReply<never>['class'];
type Random = () => number;

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;

const answers = [
  'The pool was lowered from 40 to 4 [P1].',
  'Größe: vier Verbindungen – „zu wenig“ [P2], siehe {pool}.',
  'Two things:\n- release 4.2 [P1]\n- a "quoted" word [P3]',
  'C:\\pool\\size = 4 [P1]',
];
const label = (name: string, value: string) => `${name}: ${value}`;

/** Creates a complete reply to the prompt `answer`, in one of its forms, and the answer in it. */
function createReply(random: Random) {
  const answer = pick(random, answers);
  const reply = { answer, citations: [{ passage: 'P1', quote: 'from 40 to 4' }], assumptions: ['the log is whole'] };
  const isJson = random() < 0.7;
  const labelled = [
    label('ANSWER', answer),
    label('CITATIONS', '\n- [P1] "from 40 to 4"'),
    label('ASSUMPTIONS', '\n- the log is whole'),
  ];
  return { answer, isJson, text: isJson ? JSON.stringify(reply, null, pick(random, [0, 2])) : labelled.join('\n') };
}

type Reply = ReturnType<typeof createReply>;

/** A mutated reply, and the answers that may be read from it. */
interface Mutation {
  readonly text: string;
  /** Any other answer is wrong. */
  readonly mayRead: readonly string[];
}

const same = (reply: Reply, text: string): Mutation => ({ text, mayRead: [reply.answer] });
const at = (random: Random, text: string) => Math.floor(random() * text.length);

function dropOne(text: string, random: Random, pattern: RegExp): string {
  const places = [...text.matchAll(pattern)].map(({ index }) => index);
  if (places.length === 0) return text;
  const place = pick(random, places);
  return text.slice(0, place) + text.slice(place + 1);
}

const prose = [
  'Sure! Here is what I found:',
  'I hope this helps.',
  'Note: {this} is "prose" [1].',
  '```',
  '<think>maybe {"answer": "no"}</think>',
];

const wrongNames = ['"response_text_x"', '"ответик"', '"final"', '"a"'];

/** Encodes the text in another encoding and decodes the bytes as UTF-8. */
const misread = (text: string, encoding: 'latin1' | 'utf16le'): string => Buffer.from(text, encoding).toString('utf8');

const mutations: Readonly<Record<string, (reply: Reply, random: Random) => Mutation>> = {
  cut: (reply, random) => same(reply, reply.text.slice(0, at(random, reply.text))),
  'cut at the front': (reply, random) => same(reply, reply.text.slice(at(random, reply.text))),
  doubled: (reply) => same(reply, reply.text + reply.text),
  'said twice': (reply) => same(reply, `${reply.text}\n\n${reply.text}`),
  'bracket dropped': (reply, random) => same(reply, dropOne(reply.text, random, /[{}[\]]/g)),
  'quotation mark dropped': (reply, random) => same(reply, dropOne(reply.text, random, /"/g)),
  'prose around': (reply, random) =>
    same(reply, `${pick(random, prose.slice(0, 3))}\n\n${reply.text}\n\n${pick(random, prose.slice(0, 3))}`),
  'thinking before': (reply) => same(reply, `${prose[4]}${reply.text}`),
  fenced: (reply) => same(reply, `\`\`\`json\n${reply.text}\n\`\`\``),
  'wrong labels': (reply, random) =>
    same(reply, reply.text.replace('"answer"', pick(random, wrongNames)).replace('ANSWER:', 'TEXT OF MINE:')),
  'single quotes': (reply) => same(reply, reply.isJson ? reply.text.replaceAll('"', "'") : reply.text),
  'Latin-1 read as UTF-8': (reply) => ({
    text: misread(reply.text, 'latin1'),
    mayRead: [misread(reply.answer, 'latin1')],
  }),
  'UTF-16 read as UTF-8': (reply) => ({ text: misread(reply.text, 'utf16le'), mayRead: [] }),
};

const words = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a reading contains the whole answer. A repaired reply may have extra words around it. */
const isWhole = (read: string, said: string): boolean => words(read).includes(words(said));

interface Tally {
  readonly counts: Record<Class, number>;
  readonly violations: string[];
}

function judge(tally: Tally, name: string, { text, mayRead }: Mutation): void {
  let parsed: ParsedReply<typeof prompts.answer.fields>;
  try {
    parsed = parseReply(prompts.answer.fields, text, false);
  } catch (error) {
    tally.violations.push(`${name}: threw ${error} at ${JSON.stringify(text)}`);
    return;
  }
  tally.counts[parsed.class] += 1;
  if (parsed.class === 'failed') return;
  const { answer } = parsed.reply;
  if (mayRead.some((said) => isWhole(answer, said))) return;
  // Labelled text may end anywhere; it is classified as repaired.
  if (parsed.class === 'repaired' && text.startsWith('ANSWER:')) return;
  tally.violations.push(`${name}: ${parsed.class} with ${JSON.stringify(answer)} from ${JSON.stringify(text)}`);
}

/** @param count total number of mutated replies, distributed evenly over the kinds. */
export const mutatedReplies = (count: number): Check => ({
  name: 'mutated replies',
  async run(seed): Promise<Findings> {
    const random = createRandom(seed);
    const tally: Tally = { counts: { ok: 0, repaired: 0, failed: 0 }, violations: [] };
    const kinds = Object.entries(mutations);
    for (let n = 0; n < count; n++) {
      const [name, mutate] = kinds[n % kinds.length]!;
      judge(tally, name, mutate(createReply(random), random));
    }
    return {
      figures: { replies: count, ...tally.counts, 'silently wrong': tally.violations.length },
      violations: tally.violations,
    };
  },
});

/** Files that a JSON parser must accept, must refuse, or may accept. None of them holds an answer. */
export const jsonSuite = (folder: string): Check => ({
  name: 'the files of a JSON test suite as replies',
  async run(): Promise<Findings> {
    if (!existsSync(folder)) return { figures: { skipped: `there is no ${folder}` }, violations: [] };
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    const names = Object.keys(prompts) as PromptName[];
    const counts: Record<Class, number> = { ok: 0, repaired: 0, failed: 0 };
    const violations: string[] = [];
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8');
      for (const name of names) {
        try {
          const { class: readAs } = parseReply(prompts[name].fields, text, false);
          counts[readAs] += 1;
          if (name === 'answer' && readAs !== 'failed') violations.push(`${file}: ${readAs} as an answer`);
        } catch (error) {
          violations.push(`${file}: threw ${error} as a reply to ${name}`);
        }
      }
    }
    return { figures: { files: files.length, prompts: names.length, ...counts }, violations };
  },
});
