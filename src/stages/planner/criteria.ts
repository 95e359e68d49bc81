/**
 * Matches a rule that decides the answer before the text is read, such as "if both …, then yes; otherwise, the answer
 * is no".
 */
const rule =
  /\b(?:if|unless|otherwise|else)\b.*\b(?:then|yes|no|true|false|answer)\b|\botherwise\b|\banswer (?:is|should be)\b/i;

/** Returns the criteria without rules that fix the answer, which the passages decide. */
export const withoutRules = (criteria: readonly string[]): readonly string[] =>
  criteria.filter((criterion) => !rule.test(criterion));
