/**
 * Words of a rule that decides the answer before the text is read: "if both …, then yes; otherwise, the answer is no".
 */
const rule =
  /\b(?:if|unless|otherwise|else)\b.*\b(?:then|yes|no|true|false|answer)\b|\botherwise\b|\banswer (?:is|should be)\b/i;

/** The criteria that say what an answer contains. Those that are rules for it are left out: passages decide it. */
export const withoutRules = (criteria: readonly string[]): readonly string[] =>
  criteria.filter((criterion) => !rule.test(criterion));
