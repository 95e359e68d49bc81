/** Patterns for the names of columns. Without a model, only the name of a column says what the column is about. */

/** Matches the whole name of a column that identifies rows. */
export const isKey = /^(?:id|key|uuid|guid|no|nr|number|#)$/i;
/** Matches names of columns with a number of pieces. Each row then stands for several things. */
export const isQuantity =
  /(?:^|[_\W])(?:quantity|qty|count|units|pieces|pcs|items|copies|boxes|sold|ordered)(?:$|[_\W])/i;
/** Matches names of columns whose numbers cannot be added up: identifiers, codes and ranks. */
export const isCodeColumn =
  /^(?:.*[_\W])?(?:id|no|nr|number|key|(?:post|zip)?[_\W]?code|status|port|zip|year|version|release|pid|line|priority|since|uid|level|rank|position|place|standing|seed|tier|grade|class)$/i;
export const isIdName = /^(?:.*[_\W])?(?:id|no|nr|number|key|pid|line|uid)$/i;
/** Matches names of columns whose numbers are often numbers of pieces. */
export const isPieceName = /^(?:amount|stock|heads?|no|nr|numbers?)$/i;
export const isYearName = /year|since/i;
/** Matches names of columns with the time of the row itself, not of a thing in it. */
export const isPlainTime = /^(?:date|day|time(?:stamp)?|when|month|year)$|_at$/i;
/** Words in names such as `last_visit`. Such a column has the time of only one of several events. */
export const eventWords: readonly string[] = 'first last latest previous'.split(' ');
/** Matches names of columns with the time at which something in the row ended, such as `closed_at`. */
export const isEndName = /return|clos|ended|left|expired|resolved|finished/i;
export const isDateName = /date|day|time|when|month|year|_at$/i;
export const isPersonName =
  /^(?:name|person|user|author|customer|member|employee|driver|sender|speaker|owner|assignee|player|student|teacher|trainer|manager|contact|supplier|reporter|reviewer|seller|buyer)(?:[_\s]?name)?$/i;
/** Matches names of rates: `MB/s`, `km_h`, `requests per second`. */
export const isRate = /\/|(?:^|[_\W])per[_\W]|(?:s|req|op|tx|msg|[kmg]b|bit|km|mi|kw)[_\W]+(?:s|sec|min|h|hr)\W*$/i;

/** Matches names of shares, means, running totals and levels such as balances. Their sums have no meaning. */
export const isNoPart =
  /(?:rate|ratio|pct|share|average|avg|mean|median|hourly|ytd)(?![a-z])|per(?:[_\W]|cent)|%|cumul|running|balance|odometer|reading(?!s)/i;
export const isProseName = /^(?:message|subject|text|msg|title|description)$/i;

/** Returns the words of a name in lower case: max and speed for `maxSpeed` and `max_speed`. */
export const wordsIn = (text: string): string[] =>
  text
    .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}%€$£-]+/gu) ?? [];

const particles: readonly string[] = 'on at date time by id name no nr number key'.split(' ');

/**
 * Returns a column's name, shorter names (without a unit, without a final `id`), and its last word.
 * @param rest the words of the name without a unit.
 */
export function namesOf(name: string, rest: readonly string[]): string[][] {
  const plain = rest.length > 1 && particles.includes(rest.at(-1)!) ? rest.slice(0, -1) : rest;
  return [wordsIn(name), [name.toLowerCase()], [...rest], [...plain], ...(plain.length > 1 ? [plain.slice(-1)] : [])];
}

const aggregating = /^(?:max|min|avg|maximum|minimum|average|mean|total|sum|highest|lowest)$/;

/** Whether a name has all words of another name and otherwise only words such as `max`: `speed_max` for `speed`. */
export const aggregates = (name: readonly string[], other: readonly string[]): boolean =>
  name.length > other.length &&
  other.every((word) => name.includes(word)) &&
  name.every((word) => other.includes(word) || aggregating.test(word));
