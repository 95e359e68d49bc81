/** Recognises replies that say that the text does not contain the answer. */
import { plainAnswer, statedAnswer } from './words.ts';

const silent = [
  /\bnot found\b/i,
  /\b(?:does|do|did) ?(?:not|n[’']t) (?:\w+ )?(?:say|state|mention|hold|contain|include|specify|provide|give|tell|name|list|describe|answer|address|cover|discuss|indicate)\b/i,
  /\b(?:is|are|was|were)(?: not|n[’']t) (?:\w+ )?(?:stated|mentioned|given|specified|provided|said|told|found|included|listed|available|answered|in the (?:text|passages?|documents?))\b/i,
  /\bno (?:\w+ )?(?:information|mention|answer|evidence|details?|data|passages?|statement)\b/i,
  /\b(?:can ?not|can[’']t|unable to|impossible to) (?:be )?(?:\w+ )?(?:answer|answered|determine|determined|find|found|tell|told|say|said)\b/i,
  /\b(?:unanswerable|unknown|insufficient information|not enough information|n\/a)\b/i,
  /\bnothing in the (?:text|passages?|documents?)\b/i,
  /\bi (?:do not|don[’']t) know\b/i,
];

const saysSo = (text: string): boolean => silent.some((pattern) => pattern.test(text));

/** Whether the reply says anywhere that the text does not contain the answer; false for an empty reply. */
export const saysAbsent = (reply: string): boolean => saysSo(plainAnswer(reply));

/** Whether it says so first and then gives no answer: at most 60 words in total. */
export const statesAbsent = (reply: string): boolean =>
  saysSo(statedAnswer(reply)) && plainAnswer(reply).split(/\s+/).length <= 60;
