import { contentTerms } from '../words/terms.ts';

/** A regular expression that finds lines. */
export interface LinePattern {
  readonly source: string;
  readonly ignoreCase: boolean;
}

/** An event that lines report: "failed", "the payments pool was saturated". */
export interface LineEvent {
  /** Patterns of which every line of the event matches one, the most reliable first; empty: any line may report it. */
  readonly patterns: readonly LinePattern[];
  /**
   * Rates how reliably a line reports the event, 0 for not at all; the lines with the highest rank present are the
   * event.
   */
  rank(line: string): number;
}

const failing =
  /\b(?:fail\w*|errors?|fatal|crash\w*|broke|broken?|breaks?|(?:went|go|goes|going) wrong|exceptions?|panic\w*|outage|incident|fehler|scheiter\w*|ausgefallen)\b|失败|错误|エラー/gi;
const changing = /\bchang\w*/gi;

/** Words that say what is asked about an event, but not which event it is. */
const wanted = new Set(
  contentTerms(
    'first last earliest latest early late initially finally recent most when time date long before after since until between right just immediately shortly directly previous next happen happened occur occurred appear appeared seen see see show shown logged log line entry event message thing come came start started begin began beginning end ended stop stopped go went get got continue persist lasted take took much ever again still exactly occurrence why cause reason',
  ),
);

const levelOfFailure =
  /(?:^|[\s[<("|])(?:ERROR|ERR|FATAL|CRITICAL|CRIT|ALERT|EMERG|PANIC|SEVERE|FAIL|FAILED)\b|\[(?:error|crit|critical|fatal|alert|emerg)\]|\blevel"?\s*[=:]\s*"?(?:error|fatal|critical|panic)\b/;
const otherLevel =
  /(?:^|[\s[<("|])(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING)\b|\[(?:trace|debug|info|notice|warn|warning)\]|\blevel"?\s*[=:]\s*"?(?:trace|debug|info|notice|warn)/;
const wordOfFailure =
  /\b(?:fail(?:ed|s|ure)?|errors?|crash(?:ed|es)?|fatal|panic(?:ked)?|exception|traceback|timed out|refused|denied|unable to|cannot|could not|exhausted|unavailable|aborted|fehler|fehlgeschlagen|gescheitert)\b(?!\s?[=:]\s?0\b)|\w(?:Error|Exception)\b|失败|错误|エラー/i;
const harmless =
  /\b(?:0|no|zero|without(?: any)?) (?:errors?|failures?)\b|\b(?:none|nothing|never|not|didn't|hasn't) (?:has |have |been )?fail/i;
const levelLines =
  '\\b(ERROR|ERR|FATAL|CRITICAL|CRIT|ALERT|EMERG|PANIC|SEVERE|FAIL|FAILED|error|crit|critical|fatal|alert|emerg)\\b';
/** Excludes counters at 0, which are in every line of some logs. */
const notZero = '([^\\w=:]|$|[=:] ?[^0 ])';
const failureLines = `(\\b(errors?|err|fatal|crash(es|ed)?|panic(ked)?|exception|traceback|fail(s|ed|ure)?|timed out|refused|denied|unable to|cannot|could not|exhausted|unavailable|aborted|fehler|fehlgeschlagen|gescheitert)|(error|exception))${notZero}|失败|错误|エラー`;

/**
 * Rates how reliably a line reports a failure: 2 by its level, or by its words where it has no level; 1 by words
 * against its level; 0 otherwise.
 */
function failureRank(line: string): number {
  if (levelOfFailure.test(line)) return 2;
  if (!wordOfFailure.test(line) || harmless.test(line)) return 0;
  return otherLevel.test(line) ? 1 : 2;
}

/** Matches lines that report a change. */
export const changeLines =
  'chang|from \\S+ to \\S|->|→|lowered|raised|reduced|increased|deploy|roll(ed)? ?out|upgrad|switched';
const changed = new RegExp(changeLines, 'i');
const unchanged = /\bchanged[=:]\s?0\b|\bunchanged\b|\bno (?:\w+ )?changes?\b/i;

const changeRank = (line: string): number => Number(changed.test(line) && !unchanged.test(line));

const timeout = /\btim(?:e|ed|es|ing)[ -]out\b/gi;
const termsOf = (text: string): string[] => contentTerms(text.replace(timeout, 'timeout'));

/** Returns the common beginning of the words of a stem: "retri" is the stem of "retry". */
const beginningOf = (stem: string): string => {
  const begin = stem === 'timeout' ? 'tim' : stem.length > 3 ? stem.replace(/[iey]$/, '') : stem;
  return begin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
};

/** Whether words mention a failure. */
export const tellsFailure = (words: string): boolean => words.search(failing) !== -1;

/** Returns a pattern for lines that match both, in any order. */
const both = (one: string, other: string): string => `(${one}).*(${other})|(${other}).*(${one})`;

function patternsFor(fails: boolean, changes: boolean, terms: readonly string[]): LinePattern[] {
  const ignoring = (source: string): LinePattern => ({ source, ignoreCase: true });
  const [longest, second] = terms.toSorted((one, other) => other.length - one.length).map(beginningOf);
  const kinds = fails ? [failureLines] : changes ? [changeLines] : [];
  if (longest === undefined)
    return [...(fails ? [{ source: levelLines, ignoreCase: false }] : []), ...kinds.map(ignoring)];
  if (kinds.length > 0) return kinds.map((kind) => ignoring(both(kind, longest)));
  return [ignoring(second === undefined ? longest : both(longest, second))];
}

/** Reads which event the words of a question ask for. */
export function readEvent(words: string): LineEvent {
  const fails = tellsFailure(words);
  const changes = words.search(changing) !== -1;
  const rest = words.replace(failing, ' ').replace(changing, ' ');
  const terms = [...new Set(termsOf(rest))].filter((term) => !wanted.has(term));
  return {
    patterns: patternsFor(fails, changes, terms),
    rank(line) {
      const own = fails ? failureRank(line) : changes ? changeRank(line) : 1;
      if (own === 0 || terms.length === 0) return own;
      const said = new Set(termsOf(line));
      return terms.every((term) => said.has(term)) ? own : 0;
    },
  };
}

/** Returns the lines that report an event most reliably. */
export function linesOf<Line extends { readonly text: string }>(event: LineEvent, lines: readonly Line[]): Line[] {
  const ranks = lines.map(({ text }) => event.rank(text));
  const best = ranks.reduce((most, rank) => Math.max(most, rank), 0);
  return best === 0 ? [] : lines.filter((_, index) => ranks[index] === best);
}
