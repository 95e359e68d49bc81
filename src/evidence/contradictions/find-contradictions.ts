import { contentTerms } from '../../context/words/terms.ts';
import type { Contradiction, ContradictionSide, Passage } from '../../state.ts';
import { citePlace } from '../citations.ts';
import { coverage, type EvidenceSentence, type EvidenceText, readEvidence } from '../support/evidence-text.ts';
import { namesOf } from '../support/names.ts';
import { disagreement, readStatement } from './disagreement.ts';

/** So many of the sentences that have most of the question's words are compared with each other. */
const mostSentences = 40;
/** The least share of the question's terms that each side has, with what it stands under. */
const leastOfQuestion = 0.15;
const most = 5;

/** Lines that repeat one form at different times say nothing against each other. */
const isStatement = ({ kind, terms }: EvidenceSentence): boolean =>
  kind !== 'log' && kind !== 'row' && kind !== 'heading' && terms.length >= 3;

/** The sentences that bear on the question, the nearest first. */
function sentencesOn(question: string, evidence: EvidenceText): EvidenceSentence[] {
  const asked = new Set(contentTerms(question));
  return evidence.sentences
    .filter(isStatement)
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
      const difference = one.sentence.passage === other.sentence.passage ? null : disagreement(one, other);
      if (difference === null) continue;
      const sides: readonly [ContradictionSide, ContradictionSide] = [sideOf(one.sentence), sideOf(other.sentence)];
      const [here, there] = sides.map(({ source, startLine }) => `${source}:${startLine}`);
      const [mine, theirs] = difference;
      found.push({ sides, text: `${here} ${mine}, ${there} ${theirs}` });
    }
  }
  return found;
}
