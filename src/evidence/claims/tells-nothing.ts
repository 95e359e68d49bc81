const ofText =
  /\b(?:passages?|texts?|documents?|context|sources?|excerpts?)\b[^.]{0,60}\b(?:do(?:es)? not|don['’]t|doesn['’]t|no(?:thing)?|never)\b/i;
const ofAnswer =
  /^\s*not found\b|\bno (?:information|mention|passage|answer)\b|\b(?:is|are|was|were) not (?:(?:clear|direct|explicit|specific)ly )?(?:stated|mentioned|specified|given|found|provided|said|known|available|answered)\b|\bcannot be (?:answered|determined)\b/i;

/** An answer that the text does not tell says so in its first words, in characters. */
const beginning = 300;

/** Whether an answer begins with saying that the text does not tell. */
export const saysNotFound = (answer: string): boolean => tellsNothing(answer.slice(0, beginning));

/** Whether words say only that the text does not tell. */
export const tellsNothing = (words: string): boolean => ofText.test(words) || ofAnswer.test(words);
