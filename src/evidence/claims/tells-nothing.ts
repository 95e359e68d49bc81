const ofText =
  /\b(?:passages?|texts?|documents?|context|sources?|excerpts?)\b[^.]{0,60}\b(?:do(?:es)? not|don['’]t|doesn['’]t|no(?:thing)?|never)\b/i;
const ofAnswer =
  /^\s*not found\b|\bno (?:information|mention|passage|answer)\b|\b(?:is|are|was|were) not (?:stated|mentioned|specified|given|found|provided|said|known|available)\b|\bcannot be (?:answered|determined)\b/i;

/** Whether words say only that the text does not tell. */
export const tellsNothing = (words: string): boolean => ofText.test(words) || ofAnswer.test(words);
