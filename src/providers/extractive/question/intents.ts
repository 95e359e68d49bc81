/** The kind of sentence that answers a question, where its words show it. */
export type Intent =
  | 'why'
  | 'change'
  | 'failure'
  | 'first'
  | 'last'
  | 'when'
  | 'end'
  | 'duration'
  | 'count'
  | 'who'
  | 'where'
  | 'definition'
  | 'how'
  | 'whether'
  | 'done'
  | 'unknown'
  | 'overview';

/** Verbs for defining a value or a function: "Where is the timeout set?" */
export const definingWords =
  'compute computed calculate calculated define defined declare declared assign assigned set implement implemented initialise initialised initialize initialized';

const defining = definingWords.split(' ').join('|');

const asked: readonly (readonly [Intent, RegExp])[] = [
  [
    'why',
    /\b(?:why|causes?d?|reasons?|root cause|how come|warum|weshalb|wieso|ursache|pourquoi)\b|为什么|为何|原因|なぜ/i,
  ],
  [
    'failure',
    /\b(?:fail\w*|errors?|crash\w*|broke|broken?|breaks?|went wrong|go wrong|goes wrong|exceptions?|panic\w*|fehler|scheiter\w*)\b|失败|错误|エラー/i,
  ],
  [
    'change',
    /\b(?:which|what|how (?:did|has|have|was|were))\b(?![^,;?]{0,80}\b(?:can|could|may|might|should|must|do|does|will)\b)[^,;?]{0,80}(?<!\b(?:the|this|that|an?|of|before|after|since) )\b(?:chang(?:e[sd]?|ing)|lowered|raised|reduced|increased)\b|\bbefore and after\b/i,
  ],
  ['first', /\b(?:first|earliest|initially|zuerst|erste[rns]?)\b|首先|最初|最早/i],
  ['last', /\b(?:last|latest|finally|most recent|zuletzt|letzte[rns]?)\b|最后|最近/i],
  ['when', /\b(?:when|what (?:time|date|day|year)|wann|quand)\b|什么时候|何时|几点|いつ/i],
  [
    'end',
    /\b(?:when|what time)\b[^,;?]{0,80}\b(?:ends?|ended|over|stop(?:s|ped)?|finish(?:es|ed)?|recover(?:s|ed)?|resolved|restored|back to normal)\b/i,
  ],
  ['duration', /\b(?:how (?:long|fast|soon|quickly)|since when|wie (?:lange|schnell))\b|多久|多长时间/i],
  ['count', /\b(?:how (?:many|much|often|large|big|far)|number of|wie ?viele?|wie oft|combien)\b|多少|几个/i],
  ['who', /\b(?:who|whom|whose|wer|wem|wen|qui)\b|谁|誰/i],
  ['where', /\b(?:where|which (?:file|folder|directory|path)|wo|wohin|où)\b|哪里|在哪|どこ/i],
  ['definition', new RegExp(`\\b(?:where|which (?:file|function|method|class|module))\\b.*\\b(?:${defining})\\b`, 'i')],
  ['how', /\b(?:how (?:do|does|did|can|to|should|is|are|was|were)|wie)\b|怎么|如何|どうやって/i],
  [
    'whether',
    /^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|might|isn't|aren't|doesn't|don't|didn't|ist|sind|darf|kann|muss)\b/i,
  ],
  ['done', /\b(?:how (?:was|were|did)|what was done)\b(?! (?:many|much|long|often))/i],
  ['unknown', /\b(?:questions?|missing|unknown|unclear|undecided|unanswered|unresolved|to-?dos?|tbd|fixme)\b/i],
  [
    'overview',
    /\b(?:summar\w+|overview|tl;?dr|(?:is|are) (?:this|it|that|these|the \w+) about|what is this|describe this)\b/i,
  ],
];

/** Reads the intents of a question from its words. */
export function readIntents(question: string): Set<Intent> {
  return new Set(asked.filter(([, pattern]) => pattern.test(question)).map(([intent]) => intent));
}
