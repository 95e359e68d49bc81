import { contentTerms } from '../words/terms.ts';

/** A regular expression to look for lines with. */
export interface LinePattern {
  readonly source: string;
  readonly ignoreCase: boolean;
}

/** What lines tell of: "failed", "the payments pool was saturated". */
export interface LineEvent {
  /** Every line of the event matches one of them, the surest lines the first; none: any line may be one. */
  readonly patterns: readonly LinePattern[];
  /** How surely a line tells of it: 0 not at all; lines of the highest rank that there is are the event. */
  rank(line: string): number;
}

const failing =
  /\b(?:fail\w*|errors?|fatal|crash\w*|broke|broken?|breaks?|(?:went|go|goes|going) wrong|exceptions?|panic\w*|outage|incident|fehler|scheiter\w*|ausgefallen)\b|失败|错误|エラー/gi;
const changing = /\bchang\w*/gi;

/** Words that say what is wanted of an event, and not which event it is. */
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
/** Counters that stand at 0 are in every line of some logs. */
const notZero = '([^\\w=:]|$|[=:] ?[^0 ])';
const failureLines = `(\\b(errors?|err|fatal|crash(es|ed)?|panic(ked)?|exception|traceback|fail(s|ed|ure)?|timed out|refused|denied|unable to|cannot|could not|exhausted|unavailable|aborted|fehler|fehlgeschlagen|gescheitert)|(error|exception))${notZero}|失败|错误|エラー`;

/**
 * How surely a line tells of a failure: 2 by its level, or by its words where it has no level; 1 by its words alone.
 */
function failureRank(line: string): number {
  if (levelOfFailure.test(line)) return 2;
  if (!wordOfFailure.test(line) || harmless.test(line)) return 0;
  return otherLevel.test(line) ? 1 : 2;
}

/** Matches lines that tell of a change. */
export const changeLines =
  'chang|from \\S+ to \\S|->|→|lowered|raised|reduced|increased|deploy|roll(ed)? ?out|upgrad|switched';
const changed = new RegExp(changeLines, 'i');
const unchanged = /\bchanged[=:]\s?0\b|\bunchanged\b|\bno (?:\w+ )?changes?\b/i;

const changeRank = (line: string): number => Number(changed.test(line) && !unchanged.test(line));

const timeout = /\btim(?:e|ed|es|ing)[ -]out\b/gi;
const termsOf = (text: string): string[] => contentTerms(text.replace(timeout, 'timeout'));

/** The beginning that the words of a stem have in common: "retri" is the stem of "retry". */
const beginningOf = (stem: string): string => {
  const begin = stem === 'timeout' ? 'tim' : stem.length > 3 ? stem.replace(/[iey]$/, '') : stem;
  return begin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
};

/** Whether words speak of a failure. */
export const tellsFailure = (words: string): boolean => words.search(failing) !== -1;

/** What a line has to match that has both, in any order. */
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

/** Reads what lines are asked for by the words of a question. */
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

/** The lines that tell of an event most surely. */
export function linesOf<Line extends { readonly text: string }>(event: LineEvent, lines: readonly Line[]): Line[] {
  const ranks = lines.map(({ text }) => event.rank(text));
  const best = ranks.reduce((most, rank) => Math.max(most, rank), 0);
  return best === 0 ? [] : lines.filter((_, index) => ranks[index] === best);
}
