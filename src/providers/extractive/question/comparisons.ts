/** Removes the joining word at the start of a question's part, and the punctuation at its end. */
export function withoutEnd(text: string): string {
  return text
    .replace(/^(?:and|so|then|also|but|und)\s+(?=\S)/iu, '')
    .replace(/[\s?.!,;:？。！]+$/u, '')
    .trim();
}

const compares = /compare|contrast|differ|\bboth\b|\bsame\b|\bor\b|\bthan\b/i;
const comparison = [
  /^(?:please\s+)?(?:compare|contrast)\s+(.+?)\s+(?:and|with|to|against|versus|vs\.?)\s+(.+)$/iu,
  /^(?:what (?:is|are)|explain|describe)?\s*(?:the )?(?:main )?differences? between\s+(.+?)\s+(?:and|versus|vs\.?)\s+(.+)$/iu,
  /^(?:how (?:does|do) )(.+?)\s+(?:compare|differ)\s+(?:to|with|from)\s+(.+)$/iu,
];

/** Repeats a shared head: in "the retry policy of A and B", B means "the retry policy of B". */
function shareHead(items: readonly string[]): string[] {
  const head = items[0]?.match(/^.*\b(?:of|in|for|between)\s+/iu)?.[0] ?? '';
  return items.map((item, index) => (index === 0 || /\b(?:of|in|for)\b/iu.test(item) ? item : head + item));
}

const more = '(?:more|less|fewer|[a-z]{3,20}er|first|last|most|least)';
/** Matches "Are A and B both …?" and "Were A and B of the same …?": the things, and what they may share. */
const inCommon =
  /^(?:is|are|was|were|do|does|did|have|has)\s+(.{2,80}?)\s+and\s+(.{2,80}?)\s+((?:both|(?:of|in|from|at|on|by)?\s?the same|share)\b.{0,120})$/iu;
/** Matches "Which is older, A or B?" and "Who was born first, A or B?" */
const whichOf = new RegExp(
  `^((?:which|who|what)\\b[^,:]{0,120}\\b${more}\\b[^,:]{0,60})[,:]\\s*(.{2,80}?),?\\s+or\\s+(.{2,80})$`,
  'iu',
);
/** Matches "Is A larger than B?" */
const thanOther = new RegExp(
  `^(?:is|are|was|were|does|do|did|has|have)\\s+(.{2,80}?)\\s+((?:\\w+\\s+){0,2}${more}\\b[^,]{0,40}?)\\s+than\\s+(.{2,80})$`,
  'iu',
);

/** The compared things, and the aspect. */
interface Compared {
  readonly items: readonly string[];
  readonly aspect: string;
}

/** Reads a question that compares by its form alone; null for any other. */
function readCompared(question: string): Compared | null {
  const asked = withoutEnd(question);
  const [, one, other, shared] = inCommon.exec(asked) ?? [];
  if (shared !== undefined) return { items: [one!, other!], aspect: shared };
  const [, wanted, left, right] = whichOf.exec(asked) ?? [];
  if (right !== undefined) return { items: [left!, right], aspect: wanted! };
  const [, thing, aspect, than] = thanOther.exec(asked) ?? [];
  return than === undefined ? null : { items: [thing!, than], aspect: aspect! };
}

const isName = (text: string): boolean => /\p{Lu}|\d/u.test(text);

/** Returns a question about each compared thing; null where nothing is compared. */
export function splitComparison(sentence: string): string[] | null {
  if (!compares.test(sentence)) return null;
  const compared = readCompared(sentence);
  if (compared?.items.every(isName))
    return compared.items.map((item) => `What is said about ${item} (${compared.aspect})`);
  return splitDifference(sentence);
}

/** Splits "What is the difference between A and B?" into a question about each. */
function splitDifference(sentence: string): string[] | null {
  const found = comparison.map((pattern) => withoutEnd(sentence).match(pattern)).find((match) => match !== null);
  if (found === undefined || found === null) return null;
  const [left = '', right = ''] = found.slice(1);
  const [, last = right, aspect = ''] =
    right.match(/^(.+?)(\s+(?:in terms of|with respect to|regarding|with regard to)\s+.+)$/iu) ?? [];
  const items = shareHead([...left.split(/\s*,\s*(?:and\s+)?/u), last].filter((item) => item !== ''));
  return items.map((item) => `What is said about ${item}${aspect}`);
}

const earlier = /\b(?:older|oldest|earlier|earliest|first|longer ago)\b/i;
const later = /\b(?:younger|youngest|newer|newest|later|latest|more recent(?:ly)?|last)\b/i;
const years = /(?<!\d)(?:1\d{3}|20\d\d)(?!\d)/g;

/** The answer about one of the compared things. */
export interface SideAnswer {
  readonly question: string;
  /** Lines with the marks of their passages, the best first. */
  readonly lines: readonly string[];
}

const marks = /\[P\d+\]/g;

/** Returns the only year in the lines that name a thing; null where there is none, or several. */
function yearOf(item: string, { lines }: SideAnswer): string | null {
  const about = lines.filter((line) => line.search(marks) >= 0 && line.toLowerCase().includes(item.toLowerCase()));
  const found = new Set(about.flatMap((line) => line.replace(marks, '').match(years) ?? []));
  return found.size === 1 ? [...found][0]! : null;
}

const withoutArticle = (item: string): string => item.replace(/^(?:the|an?)\s+/i, '');

/**
 * Returns a line that says which compared thing comes first or last, by the years in the answers. Null where the
 * question asks for no order, or a year is uncertain.
 */
export function compareYears(question: string, sides: readonly SideAnswer[]): string | null {
  const compared = readCompared(question);
  if (compared === null || earlier.test(compared.aspect) === later.test(compared.aspect)) return null;
  const dated = compared.items.map((item) => {
    const side = sides.find((one) => one.question.includes(item));
    return { item, year: side === undefined ? null : yearOf(withoutArticle(item), side) };
  });
  const [one, other] = dated;
  if (one?.year == null || other?.year == null || one.year === other.year) return null;
  const isOne = one.year < other.year === earlier.test(compared.aspect);
  const [chosen, rest] = isOne ? [one, other] : [other, one];
  const order = earlier.test(compared.aspect) ? 'before' : 'after';
  return `By the years in the lines below, ${chosen.year} is ${order} ${rest.year}: ${chosen.item}.`;
}
