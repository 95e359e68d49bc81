/** A part of a question that can be answered by itself. */
export interface Clause {
  /** Stands by itself: what it refers back to is in it. */
  readonly question: string;
  /** Numbers (from 1) of earlier clauses that it refers back to. */
  readonly needs: readonly number[];
}

const asking = '(?:what|which|who|whom|whose|when|where|why|how)';
const auxiliary =
  "(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|might|isn't|aren't|wasn't|weren't|doesn't|didn't)";
const subject =
  '(?:it|they|he|she|we|you|i|there|this|that|these|those|the|a|an|any|all|some|each|every|our|my|its|their)';
const command =
  '(?:list|explain|describe|compare|show|find|summari[sz]e|tell|give|name|identify|count|say|state|outline|quote|suggest|propose|write|refactor|check|verify)';
const german = '(?:warum|wieso|weshalb|wann|wer|wo|wie|was|welche[rsnm]?)';
const bare = `${asking}(?=\\s*(?:[,?.!;]|$|and\\b|or\\b))`;

// What may stand after "and" for a new question to begin there. A bare "when" or "where" clause belongs to its verb.
const afterAnd = `(?:${bare}|(?:what|which|who|whose|why|how)\\s|(?:when|where)\\s+${auxiliary}\\b|${auxiliary}\\s+${subject}\\b|${command}\\s|if so\\b|${german}\\b)`;
const afterComma = `(?:${bare}|(?:what|why|how)\\s|(?:when|where|who)\\s+${auxiliary}\\s+${subject}\\b|${german}\\b)`;
const joint = new RegExp(
  `\\s*[,;]?\\s+(?:and then|and also|and|or|but|then|as well as|und|sowie)\\s+(?=${afterAnd})|\\s*[,;]\\s*(?=${afterComma})`,
  'iu',
);

const isAsk = new RegExp(
  `^(?:(?:please|and|so|now|then|also|but)\\s+)*(?:${asking}|${auxiliary}|${command}|${german})\\b|[?？]\\s*$`,
  'iu',
);
const refersBack =
  /\b(?:it|its|they|them|their|that|this|these|those|he|she|his|her|him|so|there|the same|es|sie|er)\b/iu;
const bareClause = new RegExp(`^(?:${asking}|${german})(?: (?:so|not))?$`, 'iu');

const marker = /^\s*(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-h]\))\s+/u;

function sentencesOf(question: string): string[] {
  return question
    .split(
      /\n+|(?<=[?!？！。；])\s*|(?<=;|(?<!\b(?:\p{Lu}|Mr|Mrs|Ms|Dr|St|No|vs|etc|e\.g|i\.e))\.)\s+(?=[\p{Lu}\d"'`(]|what|who|why|how|when|where)/u,
    )
    .map((part) => part.replace(marker, '').trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
}

function withoutEnd(text: string): string {
  return text
    .replace(/^(?:and|so|then|also|but|und)\s+(?=\S)/iu, '')
    .replace(/[\s?.!,;:？。！]+$/u, '')
    .trim();
}

function splitJoints(sentence: string): string[] {
  const parts = sentence
    .split(joint)
    .map(withoutEnd)
    .filter((part) => part !== '');
  return parts.length === 0 ? [sentence] : parts;
}

const comparison = [
  /^(?:please\s+)?(?:compare|contrast)\s+(.+?)\s+(?:and|with|to|against|versus|vs\.?)\s+(.+)$/iu,
  /^(?:what (?:is|are)|explain|describe)?\s*(?:the )?(?:main )?differences? between\s+(.+?)\s+(?:and|versus|vs\.?)\s+(.+)$/iu,
  /^(?:how (?:does|do) )(.+?)\s+(?:compare|differ)\s+(?:to|with|from)\s+(.+)$/iu,
];

/** "the retry policy of A and B": B stands for "the retry policy of B". */
function shareHead(items: readonly string[]): string[] {
  const head = items[0]?.match(/^.*\b(?:of|in|for|between)\s+/iu)?.[0] ?? '';
  return items.map((item, index) => (index === 0 || /\b(?:of|in|for)\b/iu.test(item) ? item : head + item));
}

function splitComparison(sentence: string): string[] | null {
  const found = comparison.map((pattern) => withoutEnd(sentence).match(pattern)).find((match) => match !== null);
  if (found === undefined || found === null) return null;
  const [left = '', right = ''] = found.slice(1);
  const [, last = right, aspect = ''] =
    right.match(/^(.+?)(\s+(?:in terms of|with respect to|regarding|with regard to)\s+.+)$/iu) ?? [];
  const items = shareHead([...left.split(/\s*,\s*(?:and\s+)?/u), last].filter((item) => item !== ''));
  return items.map((item) => `What is said about ${item}${aspect}`);
}

const lemmas: Readonly<Record<string, string>> = {
  failed: 'fail',
  broke: 'break',
  crashed: 'crash',
  happened: 'happen',
  changed: 'change',
  stopped: 'stop',
  started: 'start',
  went: 'go',
  died: 'die',
  exited: 'exit',
  began: 'begin',
  timed: 'time',
  slowed: 'slow',
  ended: 'end',
  occurred: 'occur',
};

/** A bare "why" with the words of the clause it follows. */
function unfold(bareWord: string, before: string): string {
  const word = bareWord.charAt(0).toUpperCase() + bareWord.slice(1);
  const ofSubject = before.match(/^(?:what|who|which(?: \S+)?) (\w+)(.*)$/iu);
  const lemma = lemmas[ofSubject?.[1]?.toLowerCase() ?? ''];
  if (lemma !== undefined && /^(?:why|how|when|where)$/iu.test(bareWord))
    return `${word} did it ${lemma}${ofSubject?.[2] ?? ''}`;
  const inverted = before.match(new RegExp(`^${asking} (${auxiliary} .+)$`, 'iu'));
  if (inverted !== null) return `${word} ${inverted[1]}`;
  const plain = before.match(new RegExp(`^(${auxiliary}) .+$`, 'iu'));
  return plain === null ? `${word} (${before})` : `${word} ${before.charAt(0).toLowerCase()}${before.slice(1)}`;
}

const opening = new RegExp(
  `^(?:${asking}|${german})(?:\\s+${auxiliary}\\b)?\\s+|^(?:${command}|${auxiliary})\\s+`,
  'iu',
);

function standAlone(part: string, before: string | undefined): string {
  if (before === undefined) return part;
  if (bareClause.test(part)) return unfold(part, before);
  if (!refersBack.test(part)) return part;
  const about = before
    .replace(opening, '')
    .replace(/\s+(?:it|them|this|that)$/iu, '')
    .replace(/\s*\([^)]*\)/gu, '')
    .split(/\s+/u)
    .slice(0, 12)
    .join(' ');
  return about === '' || part.includes(about) ? part : `${part} (${about})`;
}

function finish(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  if (new RegExp(`^(?:please )?${command}\\b`, 'iu').test(first) || /[.?!？。]$/u.test(first)) return first;
  return /[\p{Script=Han}\p{Script=Hiragana}]$/u.test(first) ? `${first}？` : `${first}?`;
}

function partsOf(question: string): string[] {
  const sentences = sentencesOf(question);
  const asks = sentences.filter((sentence) => isAsk.test(sentence));
  return (asks.length === 0 ? sentences : asks).flatMap(
    (sentence) => splitComparison(sentence) ?? splitJoints(sentence),
  );
}

/** Splits a question into its clauses, each standing by itself; always at least one. */
export function splitClauses(question: string): Clause[] {
  const clauses: Clause[] = [];
  const seen = new Set<string>();
  let subjectOf: { readonly text: string; readonly number: number } | undefined;
  for (const part of partsOf(question)) {
    const dependent = subjectOf !== undefined && (bareClause.test(part) || refersBack.test(part));
    const text = finish(standAlone(part, subjectOf?.text));
    if (seen.has(text)) continue;
    seen.add(text);
    clauses.push({ question: text, needs: dependent && subjectOf !== undefined ? [subjectOf.number] : [] });
    if (!dependent) subjectOf = { text: part, number: clauses.length };
  }
  return clauses.length > 1 ? clauses : [{ question: question.trim(), needs: [] }];
}

/** The same, with no more clauses than that: the last one holds all that are left. */
export function splitAtMost(question: string, limit: number): Clause[] {
  const clauses = splitClauses(question);
  if (clauses.length <= limit) return clauses;
  const rest = clauses.slice(limit - 1);
  const needs = [...new Set(rest.flatMap((clause) => clause.needs))].filter((number) => number < limit);
  return [...clauses.slice(0, limit - 1), { question: rest.map((clause) => clause.question).join(' '), needs }];
}
