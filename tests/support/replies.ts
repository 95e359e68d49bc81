import fc from 'fast-check';
import { prompts } from '../../src/prompts/index.ts';
import { type ParsedReply, parseReply } from '../../src/prompts/reply/read-reply.ts';

export type Parsed = ParsedReply<(typeof prompts)[keyof typeof prompts]['fields']>;

/** Reads a reply to the prompt `answer`. */
export const readAnswer = (text: string, isCut = false) => parseReply(prompts.answer.fields, text, isCut);

/** Returns the answer in a reply, or why there is none. */
export function answerIn(text: string): string {
  const parsed = readAnswer(text);
  return parsed.class === 'failed' ? `failed: ${parsed.problem}` : parsed.reply.answer;
}

/** Generates answers: words, then anything. They are not empty, not in Markdown fences, and not a word for "none". */
const beginnings = fc.constantFrom('the pool', 'Il était', 'Größe "x"', 'a\nb\tc', 'in {x}: [y]', 'C:\\dir');
const anything = fc.string({ unit: 'grapheme', maxLength: 40 });
const text = fc.tuple(beginnings, anything).map(([first, rest]) => `${first} ${rest}`.trim());

const questions = fc
  .array(text, { maxLength: 5 })
  .chain((all) =>
    fc.tuple(
      ...all.map((question, index) =>
        fc.record({ question: fc.constant(question), needs: fc.subarray([...Array(index).keys()].map((n) => n + 1)) }),
      ),
    ),
  );

const list = fc.array(text, { maxLength: 3 });

const completeness = { tells: fc.constantFrom('all', 'part', 'nothing', 'unsaid'), missing: list };

const passage = fc.integer({ min: 1, max: 999 }).map((n) => `P${n}`);

const citations = fc.array(fc.record({ passage, quote: text }), {
  maxLength: 3,
});

const needsAll = fc.constantFrom('yes', 'no');
const answer = { answer: text, citations, assumptions: list, ...completeness, needsAll, query: text };

/** Generates valid replies by prompt. */
export const validReplies = {
  planner: fc.record({
    taskDecomposition: list,
    keyQuestions: questions,
    requiredInformation: list,
    successCriteria: list,
    approach: fc.constantFrom('direct', 'decompose', 'scan', 'explore', 'repl'),
  }),
  assess: fc.record({ verdict: fc.constantFrom('SIMPLE', 'COMPLEX'), reason: text }),
  decompose: fc.record({ subQuestions: questions }),
  answer: fc.record(answer),
  scan: fc.record({
    findings: fc.array(
      fc.record({
        passage,
        quote: text,
        key: text,
        finding: text,
      }),
      { maxLength: 3 },
    ),
    lines: list,
    more: fc.constantFrom('yes', 'no'),
    asksFor: fc.constantFrom('count', 'list', 'other'),
  }),
  compose: fc.record({ finalAnswer: text, assumptions: list, ...completeness }),
  critic: fc.record({
    confidenceScore: fc.integer({ min: 0, max: 100 }),
    verdicts: fc.array(
      fc.record({
        claim: fc.integer({ min: 1, max: 99 }),
        verdict: fc.constantFrom('supported', 'partial', 'unsupported', 'contradicted'),
        quote: fc.option(text),
        wrong: fc.oneof(fc.constant(''), text),
      }),
      { maxLength: 3 },
    ),
    gaps: list,
    conflicts: fc.array(fc.constant([]), { maxLength: 0 }),
    reasoning: text,
  }),
} as const;

/** Generates a prompt's name and a valid reply to it. */
export const validReply = fc.oneof(
  ...(Object.keys(validReplies) as (keyof typeof validReplies)[]).map((name) =>
    fc.tuple(fc.constant(name), validReplies[name] as fc.Arbitrary<object>),
  ),
);

/** Reads a reply to the prompt with this name. */
export const readReply = (name: keyof typeof prompts, text: string, isCut = false) =>
  parseReply(prompts[name].fields, text, isCut) as Parsed;
