/** Words that say what kind of answer is wanted; the answer need not contain them. */
export const softWords =
  'first last earliest latest initially finally recent happen occur cause root reason why problem issue thing way kind type sort list show tell find describe explain summarize summary overview compare difference give name identify mention say state text document file result outcome purpose goal meaning mean value number amount role effect impact detail content work use used many much long often fast soon quickly exactly main most actually currently go went get come make want need know see look different similar part following answer question said located situated called named';

/** Words that are soft where they are asked for: "at what time", "which day". */
export const timeWords = 'time date day year month hour';

/**
 * Words that are soft where a change is asked for by its effect: the change alone answers "Which change broke it?".
 */
export const effectWords =
  'change changed changing break broke broken fail failed crash crashed stop stopped kill killed trigger triggered slow slowed';

/** Question words that are not stop words, or of other languages. */
export const questionWords =
  'what which who whom whose when where why how please can could would does did is are was were will shall should there wer was wen wem wann wo warum wieso weshalb wie welche welcher welches ist sind war wird werden hat haben der die das den dem ein eine einen und oder qui que quoi quel quelle quels quand où pourquoi comment est les des une cuando cuándo dónde cómo quién qué por el los las';

/** Groups of words that replace each other in questions and answers. */
export const families: readonly string[] = [
  'fail failed failure error err crash fatal exception panic broke broken break abort aborted die died wrong outage',
  'start begin began launch boot run running',
  'stop end exit terminate shutdown',
  'end recover recovered recovery resolved restored',
  'slow latency delay slowdown',
  'fix fixed resolve resolved repair mitigate mitigated restore restored recover recovered solve',
  'delete remove removed drop erase purge wipe',
  'keep kept retain retained retention hold held',
  'change modify update updated edit',
  'deploy deployment release rollout',
  'outage incident downtime',
  'configure config configuration setting option',
  'install setup installation',
  'author wrote written writer',
  'buy bought purchase',
  'pay paid payment',
  'send sent',
  'lose lost loss',
  'find found',
  'give gave given',
  'take took taken',
  'make made',
  'build built',
  'leave left',
  'choose chose chosen',
  'say said told tell',
  'rise rose risen grow grew grown increase',
  'fall fell fallen decrease reduce drop',
  'compute computed calculate calculated calculation computation',
  'approve approval agree agreement consent',
  'big large size',
  'holiday vacation leave',
  'price cost charge',
  'maximum max most',
  'minimum min least',
  'refuse refused decline declined reject rejected',
  'reimburse refund repay pay paid',
  'emit emitted fire fired raise',
  'happen happened occur occurred',
  'mislead misled deceive',
];

/** Opposites, which answer each other's questions: the deletion date says how long something is kept. */
export const opposites: readonly string[] = [
  'keep kept retain retained store delete deleted erase expire overwrite overwritten',
  'allow permit forbid forbidden prohibit prohibited deny denied refuse refused',
  'enable disable',
  'add remove',
  'increase decrease raise lower',
];
