/** Character range in a text, end exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const sentenceEnd = /(?<![.!?…])[.!?…]+["'”’)\]»*_`]*(?=\s)|[。！？]+[」』”）]*/g;

const neverLast =
  /(?:^|[\s,([“"'])(?:e\.g|i\.e|vs?|cf|viz|Mr|Mrs|Ms|Messrs|Dr|Prof|Rev|Hon|Gen|Col|Maj|Capt|Cpt|Lt|Sgt|Gov|Sen|Rep|Pres|St|Mt|Ft|approx|resp|incl|excl|z\.B|d\.h|u\.a|bzw|ca|evtl)\.$/iu;
/** Abbreviations before a number, a code or a numbering letter: `No. 5`, `no. GSE12`, `Fig. B`. */
const counted =
  /(?:^|[\s,([“"'])(?:Nos?|Nr|Figs?|Eqs?|Secs?|Sect|Ch|Chap|Art|Vol|Abs|Tab|Ref|App|Ver|pp?|ll?|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$/iu;
/** Abbreviations that may end a sentence or occur within one: initials, `U.S.`, `p.m.`, `Co.`, `etc.`. */
const maybeLast =
  /(?:^|[\s,([“"'.-])(?:\p{L}|etc|Inc|Ltd|Co|Corp|Bros|LLC|Jr|Sr|Esq|Ph\.D|M\.Sc|B\.Sc|Univ|Dept|Est|al|min|max|hrs?|mins?|secs?|Ave|Blvd|Rd)\.$/iu;

/** Capitalised words that begin sentences far more often than names. */
const opener =
  /^(?:The|This|That|These|Those|There|A|An|It|Its|He|She|They|We|You|I|His|Her|Their|Our|In|On|At|As|By|For|From|With|After|Before|When|While|If|Since|But|And|So|However|Also|Then|Both|Each|Some|All|No|Not|To|Its|Because|Although|During|Under|Until|Once|What|Who|How|Why)\s/u;

/** The number of a list item, which is not a sentence by itself. */
const itemNumber = /^\s*[([]?(?:\d{1,3}|[a-z])\.$/u;

/** A day and a month as German writes them: `7. Juni`. */
const dayNumber = /(?:^|[\s([–-])\d{1,2}\.$/u;
const germanMonth =
  /^(?:Januar|Jänner|Februar|Feber|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?!\p{L})/u;

function endsSentence(text: string, end: number): boolean {
  const after = text.slice(end, end + 80).trimStart();
  if (/^\p{Ll}/u.test(after)) return false;
  const before = text.slice(Math.max(0, end - 16), end);
  if (!before.endsWith('.')) return true;
  if (neverLast.test(before) || (dayNumber.test(before) && germanMonth.test(after))) return false;
  if (counted.test(before)) return !/^(?:\p{Lu}\b|[ivx]+\b|[^\s\d]*\d)/u.test(after);
  return !maybeLast.test(before) || opener.test(after) || after === '';
}

/** Returns the ranges of the sentences in a text, without gaps. */
export function splitSentences(text: string): Range[] {
  const ranges: Range[] = [];
  let start = 0;
  for (const found of text.matchAll(sentenceEnd)) {
    const end = found.index + found[0].length;
    if (itemNumber.test(text.slice(start, Math.min(end, start + 8))) || !endsSentence(text, end)) continue;
    ranges.push({ start, end });
    start = end;
  }
  if (start < text.length) ranges.push({ start, end: text.length });
  return ranges;
}
