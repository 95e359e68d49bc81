import { contentTerms, terms } from '../../words/terms.ts';

/** Words for events, grouped by meaning: lines and questions seldom use the same word. */
const groups = {
  begin: 'start begin began begun launch open kick initiate boot created enter',
  end: 'finish end complete done stop close conclude succeed success exit',
  fail: 'fail failure error crash break broke broken exception fatal abort reject refuse outage wrong',
  leave: 'leave left drop dropped lose lost gone disconnect evict eject offline down unreachable missing die dead',
  back: 'join rejoin return back restore readmit reconnect recover online resume continue again healthy available',
  clear: 'clear resolve fix solve repair lift unblock unlock release free solved normal ok',
  change: 'change switch set flip swap replace supersede update modify convert',
  apply: 'apply deploy deployment release roll rollout install publish ship activate force live effective enable',
  disable: 'disable deactivate off revoke withdraw undo rollback revert',
  warn: 'warn warning alert alarm',
  pause: 'pause suspend halt hold stall freeze frozen block stuck jam',
  ask: 'ask question request inquire wonder',
  answer: 'answer reply respond response',
  promise: 'promise estimate easy plan',
  find: 'find found discover notice detect spot identify',
  tell: 'report announce tell told say said mention post write wrote message',
  send: 'send sent dispatch mail submit',
  arrive: 'arrive arrival deliver delivery receive reach',
  depart: 'depart departure ship shipped pick collect',
  log: 'login log session sign authenticate accepted',
} as const;

export type Meaning = keyof typeof groups;

const byStem = new Map<string, Meaning>();
for (const [meaning, words] of Object.entries(groups))
  for (const stem of terms(words)) if (!byStem.has(stem)) byStem.set(stem, meaning as Meaning);

/** Returns the meaning of a term that reports an event, else null. */
export const meaningOf = (term: string): Meaning | null => byStem.get(term) ?? null;

/** Returns the words of a meaning, as terms. */
export const termsOf = (meaning: Meaning): readonly string[] => contentTerms(groups[meaning]);

/** The meanings that end a meaning: what leaves comes back. */
const opposites: Partial<Record<Meaning, readonly Meaning[]>> = {
  begin: ['end'],
  leave: ['back', 'clear'],
  fail: ['clear', 'back', 'end'],
  pause: ['back', 'clear', 'end'],
  apply: ['disable', 'change'],
  warn: ['clear'],
  log: ['leave', 'end'],
};

/** Returns the meanings of lines that may report the end of an event. */
export const endsOf = (meaning: Meaning | null): readonly Meaning[] =>
  (meaning === null ? null : opposites[meaning]) ?? ['end', 'clear', 'back'];
