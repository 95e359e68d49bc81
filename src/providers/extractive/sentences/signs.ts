import type { Intent } from '../question/intents.ts';

/** A unit of time, as a pattern. */
export const unit =
  '(?:ms|s|secs?|seconds?|mins?|minutes?|hours?|h|days?|nights?|weeks?|months?|quarters?|years?|decades?|Sekunden?|Minuten?|Stunden?|Tagen?|Wochen?|Monaten?|Jahren?)';
const spelt = '(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|some)';
const roles =
  '(?:team|department|committee|board|group|lead|leader|head|chief|officer|manager|director|president|engineer|developer|author|owner|maintainer|reviewer|specialist|administrator|admin|operator|analyst|secretary|employee|customer|user|client|contractor|supplier)';

const changed =
  '(?:changed|set|lowered|raised|reduced|increased|decreased|cut|switched|moved|bumped|upgraded|downgraded|replaced|renamed|turned (?:on|off)|enabled|disabled|removed|added|reverted|doubled|halved)';

const signs: Partial<Record<Intent, readonly RegExp[]>> = {
  why: [
    /\b(?:because|caused? by|due to|root cause|reason|as a result of|owing to|triggered by|so that|weil|wegen|aufgrund|verursacht|ursache|parce que)\b|因为|由于|原因|导致|ため|から/i,
    /\b(?:since|led to|leads to|therefore|thus|result(?:ed|s)? in|otherwise|in order to|to avoid|to prevent|exhausted|exceeded|missing|out of|not found|cannot find|can't|could not|unable to|denied|refused|no such|denn|damit|sonst)\b/i,
  ],
  change: [
    new RegExp(
      `\\b${changed}\\b[^.;]*\\b(?:with|by|instead of) \\S|\\bfrom (?<old>\\S+) to (?!\\k<old>\\b)\\S|(?<before>\\S*[\\w.%"'\`]) +(?:-+>|→|⇒) +(?!\\k<before>(?!\\S))["'\`]?\\w`,
      'i',
    ),
    new RegExp(`\\b(?:${changed}|now|instead of|no longer|used to)\\b`, 'i'),
  ],
  failure: [
    /\b(?:ERROR|ERR|FATAL|FAIL(?:ED|URE)?|CRITICAL|PANIC)\b|\bERR!|[✗✘✖×]|\berror(?: [A-Z]+\d+)?:|\w+(?:Error|Exception)\b|Traceback|\bE[A-Z]{4,}\b|\bexit(?:ed with)? (?:code|status) [1-9]/,
    /\b(?:fail(?:ed|s|ure)?|errors?|crash(?:ed|es)?|broken?|fatal|panic(?:ked)?|timed out|refused|denied|unable|cannot|could not|ran out of|runs out of|exhausted|saturated|unavailable|gescheitert|fehlgeschlagen|fehler)\b|失败|错误|エラー/i,
  ],
  when: [
    /\b\d{1,2}:\d{2}|\b\d{4}-\d\d-\d\d\b|\b(?:1[5-9]|20)\d\d\b|\d+ ?[年月日点时]/,
    new RegExp(
      `\\b(?:\\d+|${spelt}) ${unit}\\b|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b|\\b(?:january|february|march|april|june|july|august|september|october|november|december)\\b|\\b(?:before|after|until|every|noon|midnight|today|yesterday)\\b`,
      'i',
    ),
  ],
  end: [
    /\b(?:recover(?:s|ed|y)|restor(?:ed|ing)|resolved|ended|ends|is over|was over|closed|finished|stopped|back to normal|all clear|no more)\b/i,
    /\b(?:until|last|final(?:ly)?|done|up again|expires?|completed?)\b|(?<!\b(?:dead|front|back|rear|tail|loose)[ -])\bend\b(?!-)/i,
  ],
  duration: [
    new RegExp(`\\d ?${unit}\\b|\\b(?:${spelt}|half an) ${unit}\\b|\\d+ ?(?:秒|分钟|小时|天|周|个月|年)`, 'i'),
    /\d|\b(?:forever|indefinitely|permanently|until|immediately|at once)\b/i,
  ],
  count: [
    /\d/,
    /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|million|none|zero|no|once|twice|half)\b/i,
  ],
  who: [
    new RegExp(
      `@[\\w-]+|\\b[\\w.]+@[\\w.]+\\b|\\bby \\p{Lu}|\\p{Lu}\\p{Ll}+ \\p{Lu}\\p{Ll}+|\\b(?:by|to|from|the|an?|[|·]) (?:[\\p{L}-]+ ){0,2}${roles}\\b`,
      'u',
    ),
    new RegExp(`(?<=[\\p{L},] )\\p{Lu}\\p{Ll}+|\\b${roles}s?\\b`, 'u'),
  ],
  where: [
    /[\w.-]*\/[\w./-]+|\b[\w-]+\.\w{1,4}:\d+|\bhttps?:/,
    /\b(?:in|at|under|inside|near|from) (?:the )?[\p{Lu}`"'/~.]/u,
  ],
  done: [
    /\b(?:by \p{Ll}+ing|\p{Lu}\p{Ll}+ing \p{Ll}.*\p{Ll}ed)\b/u,
    new RegExp(
      `\\b(?:${changed}|restored|restarted|rolled back|replaced|repaired|fixed|resolved|applied|patched|mended)\\b`,
      'i',
    ),
  ],
  whether: [
    /^\P{L}*(?:\S+ \S*: )?(?:yes|no|nope|yep|never|ja|nein)\b|\b(?:is|are|was|were|do|does|did|may|must|can|will|shall|need) not\b|\b(?:cannot|never|must|may|only)\b|n't\b/iu,
    /\b(?:not|no|always|every|any|allowed|required|permitted|supported)\b/i,
  ],
  how: [/\b(?:by \w+ing|use|using|run|set|call|via|through|with)\b|`|\$ |indem|durch|通过/i],
};

const harmless =
  /\b(?:0|no|zero|without) (?:errors?|fail\w*|problems?)\b|(?:\b(?:none|nothing|anything|never|not)|n't) (?:(?:has|have|had|was|were|been|ever) )*(?:fail|crash|broke|break)\w*|\b(?:errors?|failed|failures?)[:=] ?0\b|\berror rate\b|\bon failure\b/i;

const unchanged = /\b(?:no|none|nothing|not|never|without)\b[^.;,]{0,30}\bchang\w+|\bunchanged\b/i;

/** Returns how strongly a text looks like an answer of a kind: 1, 0.6 for a weak sign, 0 for none. */
export function signOf(intent: Intent, text: string): number {
  if ((intent === 'failure' && harmless.test(text)) || (intent === 'change' && unchanged.test(text))) return 0;
  const index = signs[intent]?.findIndex((pattern) => pattern.test(text)) ?? -1;
  return index < 0 ? 0 : index === 0 ? 1 : 0.6;
}
