import { contentTerms } from '../words/terms.ts';

/** Patterns of lines that report the beginning and the end of something. */
export interface Pair {
  readonly begins: RegExp;
  readonly ends: RegExp;
}

/** A question that asks how long one thing lasted. */
export interface DurationQuestion extends Pair {
  /** Terms of the subject; each is the beginning of a word. */
  readonly terms: readonly string[];
  /** Tokens that a line has to contain literally, apart from case. */
  readonly tokens: readonly string[];
  /**
   * Whether a single line may state the answer: logs state how long something ran, but not how long it was
   * unavailable.
   */
  readonly mayBeStated: boolean;
  readonly edge: 'first' | 'last';
  /** Whether many lines may report the subject, which then lasts from the first to the last of them. */
  readonly lasts: boolean;
}

const words = (list: string): RegExp => new RegExp(`\\b(?:${list})\\b`, 'i');

export const run: Pair = {
  begins: words(
    'start(?:ed|ing|s)?|begin(?:s|ning)?|began|begun|launch(?:ed|ing)?|kick(?:ed|ing) off|initiat(?:ed|ing)|opened',
  ),
  ends: words(
    'finish(?:ed|es)?|done|complet(?:e|ed|es)|end(?:ed|s)?|succe(?:eded|ss\\w*)|fail(?:ed|ure)|passed|stopped|exited|closed|resolved|over|aborted|cancell?ed',
  ),
};

/** Patterns of questions about a state, with the patterns of lines at its beginning and end. */
const states: readonly (readonly [asked: RegExp, Pair])[] = [
  [words('read-?only'), { begins: words('read-?only'), ends: words('cleared|writable|read-?write|lifted|removed') }],
  [
    words('ejected|evicted|cordoned|quarantined|expelled'),
    {
      begins: words('ejected|evicted|cordoned|quarantined|expelled'),
      ends: words('readmitted|re-admitted|uncordoned|reinstated|restored|returned|rejoin(?:ed|s)|released'),
    },
  ],
  [
    words('paused?|suspended|on hold|halted|stalled|blocked|banned|interrupted|frozen'),
    {
      begins: words(
        'paus(?:ed|ing)|suspend(?:ed|ing)|on hold|halt(?:ed|ing)|stall(?:ed|ing)|block(?:ed|ing)|ban(?:ned)?|interrupted|fro(?:ze|zen)|stopped',
      ),
      ends: words(
        'resum(?:ed|ing|es)|continu(?:ed|ing|es)|unpaused|unblocked|unban(?:ned)?|unsuspended|restart(?:ed|ing)|(?:running|going) again',
      ),
    },
  ],
  [
    words(
      'cut off|out|down|offline|gone|away|missing|unavailable|unreachable|disconnected|lost|dead|recover|come back|be back|absent',
    ),
    {
      begins: words(
        'left|leaves|leaving|down|gone|lost|offline|disconnect(?:ed|s)?|unreachable|unavailable|crash(?:ed|es)?|died|dead|dropped|removed|went away|evicted|not responding',
      ),
      ends: words(
        'join(?:ed|s)|rejoin(?:ed|s)|back|up|online|reconnect(?:ed|s)?|connected|restored|recovered|return(?:ed|s)|available|reachable|responding again|healthy',
      ),
    },
  ],
  [words('closed|shut'), { begins: words('clos(?:ed|ing)|shut'), ends: words('open(?:ed|s)?|reopen(?:ed|s)?') }],
  [
    words('restart|reboot|reload'),
    {
      begins: words('stopp(?:ed|ing)|shutting down|shut down|restarting|rebooting|reloading|going down'),
      ends: words('started|restarted|rebooted|reloaded|booted|back|up|online|ready|running'),
    },
  ],
  [
    words('broken|stuck|jammed|out of order|faulty|defective|fix|fixed|repair|repaired'),
    {
      begins: words(
        'broken?|breaks|stuck|jam(?:med|s)?|out of order|faulty|defective|fails?|failed|not working|stopped',
      ),
      ends: words('fixed|repaired|replaced|works|working|running|back|unstuck|cleared|freed|free again'),
    },
  ],
  [words('locked'), { begins: words('lock(?:ed|ing)'), ends: words('unlock(?:ed|ing)|releas(?:ed|ing)') }],
  [
    words('logged in|signed in|connected|online'),
    {
      begins: words('logged in|signed in|connected|accepted|session opened|joined|online'),
      ends: words('logged out|signed out|log ?out|disconnected|session closed|left|closed|offline'),
    },
  ],
  [words('open'), { begins: words('open(?:ed|ing|s)?'), ends: words('clos(?:ed|ing|es)|shut') }],
  [/\b(?:enabled|on)\b\W*$/i, { begins: words('enabled|on'), ends: words('disabled|off') }],
  [/\b(?:disabled|off)\b\W*$/i, { begins: words('disabled|off'), ends: words('enabled|on') }],
];

const asks =
  /\bhow (?:long|much time) (?:did|was|were|has|had|is)\b|\bhow many (?:seconds|minutes|hours|days) (?:did|was|were)\b|\bduration of\b/i;
/** Matches questions that name two events, or ask for more than a duration. */
const other =
  /\b(?:between|after|before|until|till|since|ago|why|average|mean|each|every|per|usually|longest|shortest)\b|\bfrom\b.*\bto\b/i;

const formal = new Set(
  contentTerms(
    'how long much time many seconds minutes hours days did it take took taken last lasted run ran running go went on duration need needed require required spend spent whole entire all total first latest recent start started finish finished complete completed end out down up off again back be being been do did has have had was were',
  ),
);

/** Splits a text into words with digits, which are matched literally, and the rest. */
function splitTokens(text: string): { readonly tokens: readonly string[]; readonly rest: string } {
  const tokens: string[] = [];
  const rest = text.replace(/[^\s?!,;"“”`]+/g, (found) => {
    const token = found.replace(/^[.:'’]+|[.:'’]+$/g, '');
    if (!/\d/.test(token)) return found;
    tokens.push(token.toLowerCase());
    return ' ';
  });
  return { tokens, rest };
}

const wanting = new Set(contentTerms('first last latest earliest next time moment when happened happen did was were'));

/** Returns what a line has to contain to report what the words say. */
export function readLineWords(words: string): Pick<DurationQuestion, 'terms' | 'tokens'> {
  const { tokens, rest } = splitTokens(words);
  return { tokens, terms: [...new Set(contentTerms(rest))].filter((term) => !wanting.has(term)) };
}

/** Reads a question for how long one thing lasted; null for any other. */
export function readDurationQuestion(question: string): DurationQuestion | null {
  if (!asks.test(question) || other.test(question)) return null;
  const { tokens, rest } = splitTokens(question);
  const isRun = /\b(?:take|took|last|lasted|run|ran)\b/i.test(rest.replace(/\bthe last\b/gi, ' '));
  const state = states.find(([asked]) => asked.test(rest));
  // "Rolled out" is not the state "out".
  const isState =
    state !== undefined && (!isRun || /\b(?:come|be|recover|fix|repair|restart|reboot|reload)\b/i.test(rest));
  const pair = isState ? state[1] : run;
  const named = isState ? rest.replace(new RegExp(state[0].source, 'gi'), ' ') : rest;
  const terms = [...new Set(contentTerms(named))].filter((term) => !formal.has(term));
  if (terms.length + tokens.length === 0) return null;
  const edge = /\b(?:latest|most recent|the last)\b/i.test(question) ? 'last' : 'first';
  const lasts = /\b(?:last|lasted|go on|went on|keep|kept|try|trying)\b/i.test(rest);
  return { ...pair, terms, tokens, mayBeStated: !isState, edge, lasts };
}
