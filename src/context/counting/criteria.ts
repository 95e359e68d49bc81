import { terms } from '../words/terms.ts';

/** A line to test: its text, and its terms, which are read on demand. */
export interface TestedLine {
  readonly text: string;
  readonly terms: () => ReadonlySet<string>;
}

/** A condition that a line has to meet to be counted. */
export interface Criterion {
  /** The condition in words, for the answer. */
  readonly says: string;
  /** A regular expression that every line that meets the condition matches; other lines may match too. */
  readonly find: string;
  readonly ignoreCase: boolean;
  readonly test: (line: TestedLine) => boolean;
  /** The word of the question that the condition matches in any form; absent for other conditions. */
  readonly word?: string;
}

/** Characters at the start of a line that may hold its time stamp; a later time is part of the content. */
const headCharacters = 60;

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Creates a criterion that is a regular expression alone. */
function byPattern(says: string, find: string, ignoreCase = false): Criterion {
  const pattern = new RegExp(find, ignoreCase ? 'i' : '');
  return { says, find, ignoreCase, test: ({ text }) => pattern.test(text) };
}

/** Matches the exact token, not within a longer word. */
export function literal(token: string): Criterion {
  const [before, after] = [/^\w/.test(token) ? '\\b' : '', /\w$/.test(token) ? '\\b' : ''];
  const find = `${before}${literally(token)}${after}`;
  return byPattern(`“${token}” (pattern ${find}, case matters)`, find);
}

/** Matches lines on which code assigns to a name. */
export const assigned = (name: string): Criterion =>
  byPattern(`an assignment to “${name}”`, `(?:^|[^\\w.$])${literally(name)}\\s*[-+*/|&?]*=(?:[^=]|$)`);

/** Matches lines on which code calls a name. */
export const called = (name: string): Criterion =>
  byPattern(`a call of “${name}”`, `(?:^|[^\\w$])${literally(name)}\\s*\\(`);

/** Matches the token anywhere, in upper or lower case, as a plain search does. */
export const anywhere = (token: string): Criterion =>
  byPattern(`“${token}” in upper or lower case, also within a longer word`, literally(token), true);

const levels: Readonly<Record<string, readonly [string, string]>> = {
  warn: ['WARN(?:ING)?', 'warn(?:ing)?'],
  error: ['ERR(?:OR)?', 'err(?:or)?'],
  fatal: ['FATAL', 'fatal'],
  critical: ['CRIT(?:ICAL)?', 'crit(?:ical)?'],
  debug: ['DEBUG', 'debug'],
  info: ['INFO', 'info'],
};

/** Matches lines with the log level that a word names; null where it names none. */
export function level(word: string): Criterion | null {
  const [, name = ''] = /^(warn|error|fatal|critical|debug|info)(?:ing)?s?$/i.exec(word) ?? [];
  const known = levels[name.toLowerCase()];
  if (known === undefined) return null;
  const [upper, lower] = known;
  const find = `\\b${upper}\\b|\\blevel"?\\s*[=:]\\s*"?${lower}\\b|\\[${lower}\\]`;
  return byPattern(`the log level ${name.toUpperCase()} (pattern ${find})`, find);
}

/**
 * Matches the lines by which server logs conventionally record what a word names; null where there is no convention.
 */
export const customary = (word: string): Criterion | null =>
  /^requests?$/i.test(word)
    ? byPattern('the tag “access:”, under which a server logs each request (pattern \\baccess:)', '\\baccess:')
    : null;

const logins = /\b(?:log-?ins?|log in|logon|sign-?ins?|password|authentications?)\b/i;

/** Matches the lines that sshd writes for failed or accepted logins; null where a question asks for neither. */
export function ofLogins(words: string): Criterion | null {
  if (!logins.test(words)) return null;
  if (/\bfail\w*|\bwrong\b|\binvalid\b|\bunsuccessful\b/i.test(words))
    return byPattern(
      '“Failed password” or the like, as sshd logs it',
      '\\bFailed (?:password|publickey|none|keyboard)',
    );
  return /\bsuccess\w*|\baccepted\b/i.test(words)
    ? byPattern('“Accepted password” or the like, as sshd logs it', '\\bAccepted (?:password|publickey|keyboard)')
    : null;
}

/** Matches a word in any form: `saturated` also matches `saturates`. */
export function word(written: string, term: string): Criterion {
  const find = term.slice(0, Math.max(3, term.length - 1));
  const test = ({ terms: has }: TestedLine) => has().has(term);
  return { says: `the word “${written}” in any form`, find: literally(find), ignoreCase: true, test, word: written };
}

/** Matches a verb with its particle, as one word or two: `time out`, `timed out`, `timeout`. */
export function phrase(verb: string, particle: string): Criterion {
  const [stem = verb] = terms(verb);
  const find = `${literally(stem.replace(/[ei]$/, ''))}[a-z]{0,4}[ _-]?${particle}`;
  return byPattern(`“${verb} ${particle}” in any form, as one word or two`, find, true);
}

/** Restricts a criterion to lines where the word is not merely the name of a counter at 0, as in `timeouts=0`. */
export function notAtZero({ says, find, ignoreCase, test }: Criterion): Criterion {
  const counted = new RegExp(`(?:${find})\\w*(?!["']?\\s?[=:]\\s?["']?0(?![\\d.:])|\\w)`, ignoreCase ? 'i' : '');
  const isCounted = (line: TestedLine) => test(line) && counted.test(line.text);
  return { says: `${says}, and not only as a counter at 0`, find, ignoreCase, test: isCounted };
}

/** Returns a time of day in seconds. */
function secondsOf(time: string): number {
  const [hours, minutes, seconds = 0] = time.split(':').map(Number) as [number, number, number?];
  return (hours * 60 + minutes) * 60 + seconds;
}

/** Matches lines whose time stamp is before a time of day, or at it or later; time zones are ignored. */
export function timeOfDay(side: 'before' | 'from', time: string): Criterion {
  const limit = secondsOf(time);
  return {
    says: side === 'before' ? `a time stamp before ${time}` : `a time stamp of ${time} or later`,
    find: '\\d\\d:\\d\\d',
    ignoreCase: false,
    test({ text }) {
      const [, clock] = /(?<!\d)(\d\d:\d\d(?::\d\d)?)/.exec(text.slice(0, headCharacters)) ?? [];
      return clock !== undefined && secondsOf(clock) < limit === (side === 'before');
    },
  };
}

/** Creates a line to test. */
export function tested(text: string): TestedLine {
  let known: ReadonlySet<string> | null = null;
  return {
    text,
    terms() {
      known ??= new Set(terms(text));
      return known;
    },
  };
}
