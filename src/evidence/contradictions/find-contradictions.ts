import { contentTerms } from '../../context/words/terms.ts';
import type { Contradiction, ContradictionSide, Passage } from '../../state.ts';
import { citePlace } from '../citations.ts';
import { coverage, type EvidenceSentence, type EvidenceText, readEvidence } from '../support/evidence-text.ts';
import { namesOf } from '../support/names.ts';
import { disagreement, readStatement, settingIn } from './disagreement.ts';

/** So many of the sentences that have most of the question's words are compared with each other. */
const mostSentences = 40;
/** The least share of the question's terms that each side has, with what it stands under. */
const leastOfQuestion = 0.2;
const most = 5;

/** Lines that repeat one form, as in a log or a table, say nothing against each other; neither does code. */
const isRecord = (text: string): boolean => /^\s*[[{]/.test(text) || (text.match(/,(?=\S)/g)?.length ?? 0) >= 3;
const recordFile = /\.(?:log|csv|tsv|jsonl|ndjson)$/i;

/**
 * Whether a sentence can say something against another one. A value does so only where its name is asked for: each
 * document has an owner of its own, and a date.
 */
function isStatement({ kind, terms, text, passage }: EvidenceSentence, asked: ReadonlySet<string>): boolean {
  const name = settingIn(text);
  const isSaid = kind === 'prose' || kind === 'item' || (kind === 'code' && name !== null);
  if (!isSaid || isRecord(text) || recordFile.test(passage.source)) return false;
  return name === null ? terms.length >= 3 : terms.length >= 2 && contentTerms(name).some((term) => asked.has(term));
}

const numbersIn = (under: string): string => (under.match(/\d[\d.]*/g) ?? []).join(' ');

/** Whether both can be compared: in different passages, and not under headings of different versions or dates. */
const canDiffer = (one: EvidenceSentence, other: EvidenceSentence): boolean =>
  one.passage !== other.passage && numbersIn(one.under) === numbersIn(other.under);

/** The sentences that bear on the question, the nearest first. */
function sentencesOn(question: string, evidence: EvidenceText): EvidenceSentence[] {
  const asked = new Set(contentTerms(question));
  return evidence.sentences
    .filter((sentence) => isStatement(sentence, asked))
    .map((sentence) => {
      const has = (term: string) => sentence.has.has(term) || sentence.frame.has(term);
      return { sentence, share: coverage(asked, has, evidence) };
    })
    .filter(({ share }) => share >= leastOfQuestion)
    .sort((one, other) => other.share - one.share)
    .slice(0, mostSentences)
    .map(({ sentence }) => sentence);
}

function sideOf({ passage, start, end }: EvidenceSentence): ContradictionSide {
  const lead = passage.text.slice(start).length - passage.text.slice(start).trimStart().length;
  const place = { start: start + lead, end: start + passage.text.slice(start, end).trimEnd().length };
  const { source, startLine, endLine, quote } = citePlace(passage, place, 'code');
  return { passage: passage.id, source, startLine, endLine, quote: quote ?? '' };
}

/**
 * Finds sentences of different places that answer the question in the same words with another number, date, name or
 * polarity. At most five, the nearest to the question first.
 */
export function findContradictions(question: string, passages: readonly Passage[]): Contradiction[] {
  const sentences = sentencesOn(question, readEvidence(passages));
  const known = new Set(sentences.flatMap(({ text }) => namesOf(text)));
  const statements = sentences.map((sentence) => readStatement(sentence, known));
  const found: Contradiction[] = [];
  for (const [at, one] of statements.entries()) {
    for (const other of statements.slice(at + 1)) {
      if (found.length === most) return found;
      const difference = canDiffer(one.sentence, other.sentence) ? disagreement(one, other) : null;
      if (difference === null) continue;
      const sides: readonly [ContradictionSide, ContradictionSide] = [sideOf(one.sentence), sideOf(other.sentence)];
      const [here, there] = sides.map(({ source, startLine }) => `${source}:${startLine}`);
      const [mine, theirs] = difference;
      found.push({ sides, text: `${here} ${mine}, ${there} ${theirs}` });
    }
  }
  return found;
}
