const unit =
  'seconds?|minutes?|hours?|days?|weeks?|months?|years?|ms|bytes|[kmgt]i?b|tokens|percent|points|dollars|euros|pounds|met(?:er|re)s?|kilomet(?:er|re)s?|miles|degrees|lit(?:er|re)s?|kilograms?|grams?';

const measures = new RegExp(
  `\\bhow many (?:\\w+ ){0,2}(?:${unit})\\b|\\b(?:within|after|for|in|before|than|under|over|every) how many\\b`,
  'i',
);

/** Whether a question asks for a duration, a size or a sum, which is stated in one place rather than counted. */
export const asksMeasure = (question: string): boolean => measures.test(question);
