import type { Sentence } from '../../../context/sentences/sentences.ts';

const words = '(?:missing|open|unanswered|unresolved|unclear|undecided|unknown|not known|pending|to[- ]?do|tbd|fixme)';
const nouns = '(?:here|yet|still|questions?|points?|issues?|items?|places?|tasks?|parts?|topics?)';

/** Matches "Open questions:", "Missing here: …", "TODO: fix". */
const opening = new RegExp(`^\\W*(?:still )?(?:${words}(?: ${nouns})?|questions?)\\s*(?:[:：]|$)`, 'im');
const question = /[?？]["'”’)*_\]`]*\s*$/;
const underUnknowns = new RegExp(`(?:^|\\n)\\W*(?:${words}(?: ${nouns})?|questions?)\\W*$`, 'i');

/** Whether a sentence states something unknown or still to do: a question, or an item in a list of such things. */
export function saysUnknown({ text, kind, under }: Sentence): boolean {
  if (kind === 'code' || kind === 'log') return false;
  return question.test(text) || opening.test(kind === 'heading' ? text : firstLine(text)) || underUnknowns.test(under);
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : `${text.slice(0, end)} `;
}
