/** A question that holds a description which another question would ask for: "the city where Karel was born". */

/** Two questions; the second needs the answer to the first. */
export interface Join {
  readonly kind: 'join';
  /** The description, as the question words it. */
  readonly described: string;
  /** The question for what is described. */
  readonly inner: string;
  /** Returns the question with the answer in place of the description. */
  readonly outer: (answer: string) => string;
}

const personNouns =
  'actor|actress|architect|artist|author|brother|captain|ceo|cfo|chair(?:man|woman)?|chief|child|coach|composer|creator|cto|daughter|deputy|designer|developer|director|editor|engineer|father|founder|governor|head|husband|inventor|king|lead|leader|maintainer|man|manager|mayor|minister|mother|owner|partner|performer|person|player|predecessor|president|producer|queen|representative|singer|sister|son|spouse|successor|wife|woman|writer';
const thingNouns =
  'airport|alma mater|band|birthplace|capital|church|city of birth|city|club|college|company|continent|country of citizenship|country|county|department|district|employer|festival|film|group|hometown|label|language|manufacturer|organi[sz]ation|parent company|place of birth|province|publisher|region|river|school|service|state|supplier|team|town|university|vendor|version';

const isPerson = (noun: string): boolean => new RegExp(`^(?:${personNouns})$`, 'i').test(noun);

/** Words that may stand between an article or a genitive and a noun. */
const before = String.raw`(?:\p{Ll}[\p{L}’'-]{1,20} ){0,2}?`;
const noun = String.raw`(?<noun>\p{L}[\p{L}’'-]{1,24})`;
const capital = String.raw`[\p{Lu}\p{N}][\p{L}\p{N}.’'-]*`;
/** Words with capitals, and small ones between them: `Jump for Glory`. */
const name = `["“]?${capital}(?: (?:(?:a|an|and|at|de|for|from|in|of|on|the|to|und|von|with) ){0,2}${capital}){0,8}["”]?`;

/** Matches the start of a relative clause: `the city where`, `the person who`, `the company that`. */
const relative = new RegExp(
  String.raw`\b[Tt]he ${before}${noun},? (?:where|whose|whom?|that|which|(?:in|at|to|on|of|from|by|for) (?:which|whom)) `,
  'gu',
);
/** Words at which such a clause ends. */
const clauseEnd =
  /\b(?:is|are|was|were)(?: \p{Ll}{2,14})?? (?:located|situated|found|born|based|set|held|fought|formed|founded|made|built|buried|raised|from|a citizen|a member|employed|hosted)\b(?! (?:in|at|on|by|of|to) )|\b(?:died|lives|lived|lies|took place|takes place|grew up|works|worked)\b/u;
const longestClause = 160;

/** Matches `the director of Jump for Glory`. */
const chain = new RegExp(String.raw`\b[Tt]he ${before}(?<noun>${personNouns}|${thingNouns}) of (?:the )?${name}`, 'u');
/** Matches `Big Eye's main director`. */
const genitive = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${capital}?(?: ${capital}?){0,4}['’]s ${before}(?<noun>${personNouns}|${thingNouns})\b`,
  'u',
);

/** Question words and a form of "to be": a description right after them is the whole question, not a part. */
const onlyAsks = /^\W*(?:who|what|which(?: \p{L}+)?|where|when)\s+(?:is|are|was|were)\s*$/iu;
/** Matches a question with `do`, whose final verb an open-ended clause would swallow. */
const needsVerb = /\b(?:do|does|did) (?:the|an?) (?:\p{L}+ ){1,3}of\s*$/iu;
const preposition = /\b(?:of|in|by|for|from|with|to|at|on|near|than|as|through|under|like|into|against|besides)\s*$/i;

interface Described {
  readonly start: number;
  readonly end: number;
  readonly noun: string;
  /** Whether the description is of a person. */
  readonly isSomebody: boolean;
}

/** Finds the innermost description with a clause: the last one that begins. */
function withClause(question: string): Described | null {
  const last = [...question.matchAll(relative)].at(-1);
  if (last === undefined) return null;
  const from = last.index + last[0].length;
  const clause = question.slice(from, from + longestClause);
  const closed = clauseEnd.exec(clause);
  const end = closed ? from + closed.index + closed[0].length : question.replace(/[\s?.]+$/, '').length;
  // Without such words the clause may include the rest of the question, unless the rest precedes it.
  const isOpen = closed === null && (end - from > longestClause || clause.includes(','));
  const head = question.slice(0, last.index);
  if (isOpen || (closed === null && (!preposition.test(head) || needsVerb.test(head)))) return null;
  return { start: last.index, end, noun: last.groups!['noun']!, isSomebody: /\bwho(?:m|se)? $/.test(last[0]) };
}

function withName(pattern: RegExp, question: string): Described | null {
  const found = pattern.exec(question);
  if (found === null) return null;
  return { start: found.index, end: found.index + found[0].length, noun: found.groups!['noun']!, isSomebody: false };
}

/**
 * Reads the two questions in a question with a description; null where it has none, or consists of nothing else. Takes
 * time linear in the question.
 */
export function readJoin(question: string): Join | null {
  const found = withClause(question) ?? withName(chain, question) ?? withName(genitive, question);
  if (found === null) return null;
  const described = question.slice(found.start, found.end).replace(/^The /, 'the ');
  const [head, tail] = [question.slice(0, found.start), question.slice(found.end)];
  // A comma makes the end of the description uncertain, unless a name follows it.
  if (/,(?! \p{Lu})/u.test(described) || /^, \p{Lu}/u.test(tail) || !/\p{L}/u.test(head + tail)) return null;
  if (onlyAsks.test(head) && !/\p{L}/u.test(tail)) return null;
  const asks = found.isSomebody || isPerson(found.noun) ? 'Who' : 'What';
  return { kind: 'join', described, inner: `${asks} is ${described}?`, outer: (answer) => `${head}${answer}${tail}` };
}
