import { contentTerms } from '../../context/words/terms.ts';

const text = '(?:passages?|texts?|documents?|context|excerpts?|information|sources?|sentences?)';
const which = '(?:the|this|these|that)(?: (?:given|provided|above|following))?';

/** Phrases that name the text as the source: "According to the passage, …", "The text states that …". */
const frames = [
  new RegExp(
    `^(?:according to|based on|as per|as stated in|as mentioned in|from|in) ${which} ${text}(?: provided)?,? `,
    'i',
  ),
  new RegExp(`^${which} ${text} (?:says?|states?|mentions?|indicates?|shows?|tells?)(?: us)? that `, 'i'),
];

/** A condition that an answer may repeat from the question. */
const condition = /^(?:if|when|while|unless|after|before|for|in case|given that) [^,]{3,200}, /i;

/** Whether the question has all terms of the words. */
function isAsked(words: string, question: string): boolean {
  const asked = new Set(contentTerms(question));
  return contentTerms(words).every((term) => asked.has(term));
}

/**
 * Removes the words that name the text as the source, and a condition that is repeated from the question.
 */
export function withoutFraming(claim: string, question: string): string {
  const said = frames.reduce((rest, frame) => rest.replace(frame, ''), claim.trimStart());
  const repeated = condition.exec(said)?.[0] ?? '';
  return repeated !== '' && isAsked(repeated, question) ? said.slice(repeated.length) : said;
}
