/** What kind of sentence answers a question, where its words tell. */
export type Intent = 'why' | 'failure' | 'first' | 'last' | 'when' | 'count' | 'who' | 'where' | 'how' | 'overview';

const asked: readonly (readonly [Intent, RegExp])[] = [
  [
    'why',
    /\b(?:why|causes?d?|reasons?|root cause|how come|warum|weshalb|wieso|ursache|pourquoi)\b|为什么|为何|原因|なぜ/i,
  ],
  [
    'failure',
    /\b(?:fail\w*|errors?|crash\w*|broke|broken?|breaks?|went wrong|go wrong|goes wrong|exceptions?|panic\w*|fehler|scheiter\w*)\b|失败|错误|エラー/i,
  ],
  ['first', /\b(?:first|earliest|initially|began|zuerst|erste[rns]?)\b|首先|最初|最早/i],
  ['last', /\b(?:last|latest|finally|most recent|zuletzt|letzte[rns]?)\b|最后|最近/i],
  ['when', /\b(?:when|what (?:time|date|day|year)|how long|since when|wann|quand)\b|什么时候|何时|几点|いつ/i],
  ['count', /\b(?:how (?:many|much|often|long|large|big|fast|far)|number of|wie ?viele?|combien)\b|多少|几个/i],
  ['who', /\b(?:who|whom|whose|wer|wem|wen|qui)\b|谁|誰/i],
  ['where', /\b(?:where|which (?:file|folder|directory|path)|wo|wohin|où)\b|哪里|在哪|どこ/i],
  ['how', /\b(?:how (?:do|does|did|can|to|should|is|are|was|were)|wie)\b|怎么|如何|どうやって/i],
  [
    'overview',
    /\b(?:summar\w+|overview|tl;?dr|(?:is|are) (?:this|it|that|these|the \w+) about|what is this|describe this)\b/i,
  ],
];

/** What the words of a question ask for. */
export function readIntents(question: string): Set<Intent> {
  return new Set(asked.filter(([, pattern]) => pattern.test(question)).map(([intent]) => intent));
}

const signs: Partial<Record<Intent, readonly RegExp[]>> = {
  why: [
    /\b(?:because|caused? by|due to|root cause|reason|as a result of|owing to|triggered by|so that|weil|wegen|aufgrund|verursacht|ursache|parce que)\b|因为|由于|原因|导致|ため|から/i,
    /\b(?:since|led to|leads to|therefore|thus|result(?:ed|s)? in|otherwise|in order to|to avoid|to prevent|exhausted|exceeded|missing|out of|not found|cannot find|can't|could not|unable to|denied|refused|no such|denn|damit|sonst)\b/i,
  ],
  failure: [
    /\b(?:ERROR|ERR|FATAL|FAIL(?:ED|URE)?|CRITICAL|PANIC)\b|\bERR!|[✗✘✖×]|\berror(?: [A-Z]+\d+)?:|\w+(?:Error|Exception)\b|Traceback|\bE[A-Z]{4,}\b|\bexit(?:ed with)? (?:code|status) [1-9]/,
    /\b(?:fail(?:ed|s|ure)?|errors?|crash(?:ed|es)?|broken?|fatal|panic(?:ked)?|timed out|refused|denied|unable|cannot|could not|gescheitert|fehlgeschlagen|fehler)\b|失败|错误|エラー/i,
  ],
  when: [
    /\b\d{1,2}:\d{2}|\b\d{4}-\d\d-\d\d\b|\b(?:1[5-9]|20)\d\d\b|\b\d+ ?(?:ms|s|sec|seconds?|minutes?|min|hours?|h|days?|weeks?|months?|years?)\b|\d+ ?[年月日点时]/i,
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\b(?:before|after|until|every|noon|midnight|today|yesterday)\b/i,
  ],
  count: [
    /\d/,
    /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|million|none|zero|no)\b/i,
  ],
  who: [
    /@[\w-]+|\b[\w.]+@[\w.]+\b|\bby \p{Lu}|\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u,
    /(?<=[\p{L},] )\p{Lu}\p{Ll}+|\b(?:team|engineer|author|owner|maintainer|user|customer)s?\b/u,
  ],
  where: [
    /[\w.-]*\/[\w./-]+|\b[\w-]+\.\w{1,4}:\d+|\bhttps?:/,
    /\b(?:in|at|under|inside|near|from) (?:the )?[\p{Lu}`"'/~.]/u,
  ],
  how: [/\b(?:by \w+ing|use|using|run|set|call|via|through|with)\b|`|\$ |indem|durch|通过/i],
};

const harmless =
  /\b(?:0|no|zero|without) (?:errors?|fail\w*|problems?)\b|\b(?:errors?|failed|failures?)[:=] ?0\b|\berror rate\b|\bon failure\b/i;

/** How well a sentence looks like an answer of that kind: 1, 0.6 for a weak sign, 0 for none. */
export function signOf(intent: Intent, sentence: string): number {
  if (intent === 'failure' && harmless.test(sentence)) return 0;
  const index = signs[intent]?.findIndex((pattern) => pattern.test(sentence)) ?? -1;
  return index < 0 ? 0 : index === 0 ? 1 : 0.6;
}

/** Words that say what is wanted rather than what it is about: the text of an answer need not have them. */
export const softWords =
  'first last earliest latest initially finally recent happen occur cause root reason why problem issue thing way kind type sort list show tell find describe explain summarize summary overview compare difference give name identify mention say state text document file result outcome purpose goal meaning mean value number amount role effect impact detail content work use used time date day many much long often exactly main most actually currently go went get come make want need know see look different similar part following answer question said';

/** Question words that are in no list of stopwords, or of other languages. */
export const questionWords =
  'what which who whom whose when where why how please can could would does did is are was were will shall should there wer was wen wem wann wo warum wieso weshalb wie welche welcher welches ist sind war wird werden hat haben der die das den dem ein eine einen und oder qui que quoi quel quelle quels quand où pourquoi comment est les des une cuando cuándo dónde cómo quién qué por el los las';

/** Words that stand for each other in questions and in what answers them. */
export const families: readonly string[] = [
  'fail failed failure error err crash fatal exception panic broke broken break abort aborted die died wrong outage',
  'start begin began launch boot run running',
  'stop end exit terminate shutdown',
  'slow latency delay slowdown',
  'fix fixed resolve resolved repair mitigate mitigated restore restored recover recovered solve',
  'delete remove removed drop',
  'change modify update updated edit',
  'deploy deployment release rollout',
  'outage incident downtime',
  'configure config configuration setting option',
  'install setup installation',
  'author wrote written writer',
  'buy bought purchase',
  'big large size',
];
