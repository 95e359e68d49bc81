import { contentTerms } from '../../context/words/terms.ts';
import type { EvidenceSentence } from '../support/evidence-text.ts';
import type { Rule } from './rule.ts';

/** Words that deny what follows them in the clause. */
const denial =
  /\b(?:not|never|no longer|neither|nor|none|nobody|nothing|nowhere|cannot|without|fail(?:s|ed)? to|refus(?:es|ed) to|unable to|no|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|don['’]t|doesn['’]t|didn['’]t|won['’]t|wouldn['’]t|can['’]t|couldn['’]t|shouldn['’]t|hasn['’]t|haven['’]t|hadn['’]t)\b(?!-)/gi;
/** Phrases that hold such a word and deny nothing. */
const harmless =
  /\b(?:not only|no(?:t)? (?:less|more|fewer|later|earlier) than|if not|whether or not|no doubt|not just|No\. ?\d)/gi;
/** Words that can express a denial in another way. */
const negative =
  /\b(?:except|instead|rather than|lack(?:s|ed|ing)?|absen(?:t|ce)|miss(?:ed|ing)|den(?:y|ied|ies)|reject(?:ed|s)?|declin(?:ed|es)|prevent(?:ed|s)?|refus(?:ed|es|al)|stop(?:ped|s)?|ceas(?:ed|es)|end(?:ed|s)?|avoid(?:ed|s)?|fail(?:ed|s|ure)?|unable|impossible|forb(?:id|ade|idden)\p{Ll}*|prohibit\p{Ll}*|ban(?:ned|s)?|disallow\p{Ll}*|exclu\p{Ll}+|un\p{Ll}{4,}|only|few|little|hardly|rarely|barely|least|but|other than)\b/iu;

/** Words that forbid or oppose something. */
const forbids =
  /\b(?:against|oppos(?:e|es|ed)|forb(?:id|ids|ade|idden)|prohibit\p{Ll}*|ban(?:s|ned)?|disallow\p{Ll}*|closed)\b/iu;

/** A denial of a denial. */
const twice = /\b(?:not|never|no longer) (?:\p{Ll}+ )?(not|never|no longer|neither|no)\b(?! only)/u;

interface Denied {
  readonly word: string;
  /** The first terms behind it in its clause. */
  readonly scope: readonly string[];
}

const scopeLength = 4;
const scopeEnd = /[,;:.!?()]|["”](?!\p{L})|\b(?:but|although|though|while|because|whereas)\b/u;

/** Finds the denials of a text. */
export function denials(text: string): Denied[] {
  const plain = text.replace(harmless, (found) => ' '.repeat(found.length));
  return [...plain.matchAll(denial)].map(({ 0: word, index }) => {
    const rest = plain.slice(index + word.length).split(scopeEnd, 1)[0]!;
    return { word, scope: contentTerms(rest).slice(0, scopeLength) };
  });
}

const says = (sentences: readonly EvidenceSentence[], term: string) => sentences.some(({ has }) => has.has(term));

/** Whether two denials have the same first term, or two terms in common. */
const isSameDenied = (one: readonly string[], other: readonly string[]): boolean =>
  one[0] === other[0] || one.filter((term) => other.includes(term)).length > 1;

/** Whether one of the sentences denies the same. */
const denies = (sentences: readonly EvidenceSentence[], scope: readonly string[]): boolean =>
  sentences.some(({ text }) => denials(text).some((denied) => isSameDenied(denied.scope, scope)));

/** Whether one of the sentences denies half of the terms that any of them has. */
const deniesKnown = (sentences: readonly EvidenceSentence[], known: readonly string[]): boolean =>
  sentences.some(({ text }) =>
    denials(text).some(
      ({ scope }) => 2 * known.filter((term) => scope.includes(term)).length >= Math.max(1, known.length),
    ),
  );

/** Finds a denial in the claim for which no near sentence has one. */
const claimDenies: Rule = ({ text, near, nearest }) => {
  for (const { word, scope } of denials(text)) {
    const known = scope.filter((term) => says(near, term));
    const speaking = near.filter(({ has }) => (known.length > 0 ? known : scope).some((term) => has.has(term)));
    if (scope.length === 0 || denies(near, scope)) continue;
    if (known[0] !== scope[0] && deniesKnown(near, known)) continue;
    const isDenying = (one: EvidenceSentence) => negative.test(one.text) || denials(one.text).length > 0;
    if (speaking.length === 0) {
      if (near.some(isDenying)) continue;
      return { verdict: 'unsupported', reason: `the answer says "${word}", the passage does not` };
    }
    if (known.length === 0 && speaking.some(isDenying)) continue;
    if (nearest && forbids.test(nearest.text) && !nearest.has.has(scope[0]!)) continue;
    return { verdict: 'contradicted', reason: `the answer says "${word}", the passage does not` };
  }
  return null;
};

/** Finds a double denial in the claim where the evidence denies once. */
const claimDeniesTwice: Rule = ({ text, near, nearest }) => {
  const found = twice.exec(text);
  if (found === null) return null;
  const [inner] = denials(text.slice(found.index + found[0].length - found[1]!.length));
  if (inner === undefined || inner.scope.length === 0) return null;
  if (!denies(near, inner.scope) && !(nearest && forbids.test(nearest.text))) return null;
  return { verdict: 'contradicted', reason: `the answer says "${found[0]}", the passage denies it once` };
};

const isQuestion = /\?["'”’)]*\s*$/;

/** Finds a denial of the claim's words in the nearest sentence where the claim denies nothing. */
const evidenceDenies: Rule = ({ text, terms, nearest, near }) => {
  if (nearest === null || isQuestion.test(nearest.text) || denials(text).length > 0 || negative.test(text)) return null;
  const denied = denials(nearest.text).find(({ scope }) => scope.length > 0 && terms.has(scope[0]!));
  if (denied === undefined) return null;
  const others = near.filter((sentence) => sentence !== nearest && sentence.has.has(denied.scope[0]!));
  if (others.some((sentence) => denials(sentence.text).length === 0)) return null;
  return { verdict: 'contradicted', reason: `the passage says "${denied.word}", the answer does not` };
};

/** Finds a denial that only one of claim and evidence has. */
export const negationsAgree: Rule = (claim, evidence) =>
  claimDeniesTwice(claim, evidence) ?? claimDenies(claim, evidence) ?? evidenceDenies(claim, evidence);
