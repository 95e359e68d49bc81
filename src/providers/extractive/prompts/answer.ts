import { showDuration } from '../../../context/order/moments.ts';
import type { PassagesVariables } from '../../../prompts/answer.ts';
import type { Reply } from '../../../prompts/index.ts';
import type { KnownAnswer } from '../../../prompts/prompt.ts';
import { asWritten, type Clause, splitAtMost } from '../question/clauses.ts';
import { compareYears } from '../question/comparisons.ts';
import { joinKnown, type Known, knownFrom } from '../question/known.ts';
import { notFound } from '../question/not-found.ts';
import { type ClauseQuery, readQuery } from '../question/query.ts';
import type { Candidate } from '../ranking/candidate.ts';
import { type InTime, selectInTime } from '../ranking/in-time.ts';
import { selectSentences } from '../ranking/select.ts';
import { quoteSentence } from '../sentences/quote.ts';
import { indexSentences, type SentenceIndex } from '../sentences/sentence-index.ts';
import { selectOverview } from './overview.ts';

interface Quoted {
  readonly lines: readonly string[];
  readonly citations: Reply<'answer'>['citations'];
}

interface Section extends Quoted {
  readonly clause: Clause;
  readonly known: Known;
}

const mostClauses = 8;

function quoteAll(chosen: readonly Candidate[], query: ClauseQuery, { sentences }: SentenceIndex): Quoted {
  const words = new Set(query.terms.map(({ term }) => term));
  const shown = new Set(chosen.flatMap(({ index, also }) => [index, ...also]));
  const quoted = [...shown].map((number) => {
    const sentence = sentences[number]!;
    return { id: sentence.passage.id, ...quoteSentence(sentence, words) };
  });
  return {
    lines: quoted.map(({ id, shown }) => `${shown} [${id}]`),
    citations: quoted.map(({ id, quote }) => ({ passage: id, quote })),
  };
}

/**
 * Chooses the sentences that answer a clause, and the time from the first to the last where the clause asks for it.
 */
function choose(question: string, query: ClauseQuery, evidence: SentenceIndex, known: Known, limit: number): InTime {
  const inTime = selectInTime(question, query, evidence);
  if (inTime !== null) return inTime;
  const found = selectSentences(query, evidence, known, limit);
  const overview = found.length === 0 && query.intents.has('overview');
  return { chosen: overview ? selectOverview(query, evidence, limit) : found, spanMs: null };
}

function quoteSpan({ lines, citations }: Quoted, spanMs: number | null): Quoted {
  if (spanMs === null) return { lines, citations };
  const [from, to] = citations.map(({ passage }) => `[${passage}]`);
  return {
    lines: [`${showDuration(spanMs)}, from the first of these lines ${from} to the second ${to}:`, ...lines],
    citations,
  };
}

/** Removes sentences that were quoted for an earlier clause, unless they are the best for this one too. */
function withoutSaid(chosen: readonly Candidate[], said: ReadonlySet<number>): Candidate[] {
  const best = Math.max(...chosen.map((candidate) => candidate.score));
  return chosen.filter((candidate) => candidate.score === best || !said.has(candidate.index));
}

/** Answers the clauses in sequence; one that refers back gets the answers that it needs. */
function answerClauses(clauses: readonly Clause[], evidence: SentenceIndex, given: Known): Section[] {
  const limit = clauses.length < 4 ? 4 : 2;
  const sections: Section[] = [];
  const said = new Set<number>();
  for (const clause of clauses) {
    const query = readQuery(clause.question);
    const earlier = clause.needs.map((number) => sections[number - 1]?.known ?? given);
    const { chosen: best, spanMs } = choose(clause.question, query, evidence, joinKnown([given, ...earlier]), limit);
    const chosen = spanMs === null ? withoutSaid(best, said) : best;
    for (const candidate of chosen) said.add(candidate.index);
    const quoted = quoteSpan(quoteAll(chosen, query, evidence), spanMs);
    sections.push({ clause, known: knownFrom(quoted.lines), ...quoted });
  }
  return sections;
}

function write(question: string, sections: readonly Section[]): string {
  const found = sections.filter((section) => section.lines.length > 0);
  const missing = sections
    .filter((section) => section.lines.length === 0)
    .map(({ clause }) => notFound(asWritten(clause.question)));
  const texts = found.map(({ clause, lines }) =>
    [...(sections.length > 1 ? [asWritten(clause.question)] : []), ...lines].join('\n'),
  );
  const compared = compareYears(
    question,
    sections.map(({ clause, lines }) => ({ question: clause.question, lines })),
  );
  return [...(compared === null ? [] : [compared]), ...texts, ...missing].join('\n\n');
}

function answersIn(known: readonly KnownAnswer[]): Known {
  return knownFrom(known.flatMap(({ answer }) => (answer === null ? [] : [answer])));
}

/** Answers a question with the best sentences of its passages, or says that nothing matches well enough. */
export function answerFromPassages({ question, passages, known }: PassagesVariables): Reply<'answer'> {
  const sections = answerClauses(splitAtMost(question, mostClauses), indexSentences(passages), answersIn(known));
  const citations = sections.flatMap((section) => section.citations);
  const seen = new Set<string>();
  const once = citations.filter(({ passage, quote }) => {
    const key = `${passage} ${quote}`;
    return !seen.has(key) && seen.add(key);
  });
  const tells = once.length > 0 ? ('all' as const) : ('nothing' as const);
  return {
    answer: write(question, sections),
    citations: once,
    assumptions: [],
    tells,
    missing: [],
    needsAll: 'no',
    query: '',
  };
}
