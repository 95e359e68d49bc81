import { counted } from '../../base/text.ts';
import type { PassagesVariables } from '../../prompts/answer.ts';
import type { Reply, Variables } from '../../prompts/index.ts';
import { asWritten, isGerman, readQuery, splitAtMost } from './query.ts';
import { collapse, quoteSentence, sentenceWithoutMarks } from './quote.ts';
import { type Candidate, selectSentences } from './rank.ts';
import { indexSentences, type SentenceIndex } from './sentence-index.ts';

const longest = 200;

/** Shortens a question to one line. */
export function shorten(question: string): string {
  const line = collapse(question);
  return line.length <= longest ? line : `${[...line.slice(0, longest)].slice(0, -1).join('').trimEnd()}…`;
}

const notFound = (question: string): string =>
  `Not found: no sentence in the text matches "${sentenceWithoutMarks(shorten(question))}" well enough.`;

export const saysNotFound = (line: string): boolean => line.startsWith('Not found:');

export const questionNotFound = (line: string): string | null =>
  /^Not found: .*? matches "(.*)" well enough\.$/u.exec(line)?.[1] ?? null;

const yesOrNo =
  /^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|might)\b(?!.*\bor\b)/is;

function countFurther(chosen: readonly Candidate[], rest: readonly Candidate[]): number {
  const [best] = chosen;
  if (best === undefined || best.sentence.kind === 'prose' || best.also.length > 0) return 0;
  const shown = new Set(chosen.map(({ index }) => index));
  const isAlike = ({ index, sentence, matched }: Candidate) =>
    !shown.has(index) &&
    sentence.kind === best.sentence.kind &&
    matched.own >= best.matched.own &&
    matched.named >= best.matched.named;
  return rest.filter(isAlike).length;
}

function answerClause(question: string, index: SentenceIndex, limit: number) {
  const query = readQuery(question);
  const { chosen, found } = selectSentences(query, index, limit);
  const shown = new Set(chosen.flatMap(({ index: number, also }) => [number, ...also]));
  const lines = [...shown].map((number) => {
    const sentence = index.sentences[number]!;
    return { id: sentence.passage.id, ...quoteSentence(sentence) };
  });
  // A citation names the first of several equal lines of a passage, so only one of them is shown.
  const quoted = [...new Map(lines.map((one) => [`${one.id} ${one.quote}`, one])).values()];
  const further = countFurther(chosen, found);
  // In German, "was" means "what", so it does not begin a yes-or-no question.
  const isWhat = /^\W*was\b/i.test(question) && isGerman(question);
  const isYesOrNo = quoted.length > 0 && yesOrNo.test(question) && !isWhat;
  const said = [
    ...(isYesOrNo ? ['No model answered yes or no; these lines are relevant:'] : []),
    ...quoted.map((one) => `${one.shown} [${one.id}]`),
    ...(further > 0 ? [`Not shown: at least ${counted(further, 'further line')} that match as well.`] : []),
  ];
  const citations = quoted.map(({ id, quote }) => ({ passage: id, quote }));
  return { title: sentenceWithoutMarks(shorten(asWritten(question))), lines: said, citations };
}

/** Maximum number of questions of a task that are answered separately. */
export const mostClauses = 8;

/** Answers a question with the best sentences of its passages. */
export function answerFromPassages({
  question,
  passages,
}: Pick<PassagesVariables, 'question' | 'passages'>): Reply<'answer'> {
  const clauses = splitAtMost(question, mostClauses);
  const index = indexSentences(passages);
  const sections = clauses.map((clause) => answerClause(clause.question, index, clauses.length < 4 ? 4 : 2));
  const found = sections.filter(({ lines }) => lines.length > 0);
  const texts = found.map(({ title, lines }) => [...(sections.length > 1 ? [title] : []), ...lines].join('\n'));
  const missing = sections.filter(({ lines }) => lines.length === 0).map(({ title }) => notFound(title));
  const citations = new Map(
    found.flatMap((section) => section.citations.map((one) => [`${one.passage} ${one.quote}`, one] as const)),
  );
  return {
    answer: [...texts, ...missing].join('\n\n'),
    citations: [...citations.values()],
    assumptions: [],
    tells: found.length > 0 ? 'all' : 'nothing',
    missing: [],
    needsAll: 'no',
    query: '',
  };
}

/** Concatenates the answers to the parts, without repeated lines. */
export function composeParts({ question, parts }: Variables<'compose'>): Reply<'compose'> {
  const said = new Set<string>();
  const missing = new Set<string>();
  const sections = parts.flatMap((part) => {
    const lines = (part.answer ?? notFound(part.question)).split('\n').map((line) => line.trimEnd());
    for (const line of lines.filter(saysNotFound)) missing.add(line);
    const own = lines.filter((line) => !saysNotFound(line) && (line === '' || (!said.has(line) && said.add(line))));
    const text = own
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    return lines.every((line) => line === '' || saysNotFound(line)) ? [] : { title: part.question, text };
  });
  const titled = sections.length + missing.size > 1;
  const again = 'The lines quoted above are also the best for this question.';
  const texts = sections.map(({ title, text }) =>
    [...(titled ? [sentenceWithoutMarks(shorten(asWritten(title)))] : []), text || again].join('\n'),
  );
  return {
    finalAnswer: [...texts, ...missing].join('\n\n') || notFound(question),
    assumptions: [],
    tells: sections.length > 0 ? 'all' : 'nothing',
    missing: [],
  };
}
