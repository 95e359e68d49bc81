const irregular: ReadonlyMap<string, string> = new Map(
  (
    'skis ski,skies sky,dying die,lying lie,tying tie,idly idl,gently gentl,ugly ugli,early earli,only onli,' +
    'singly singl,sky sky,news news,howe howe,atlas atlas,cosmos cosmos,bias bias,andes andes'
  )
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
);

/** Words that are not stemmed further once their plural ending is removed. */
const settled = new Set('inning outing canning herring earring evening proceed exceed succeed'.split(' '));

/** Beginnings that stay whole, so that `universal` and `university` have different stems. */
const longPrefix = /^(?:arsen|commun|emerg|gener|inter|later|organ|past|univers)/;

const shortenings = endingsOf(
  'ization ize,ational ate,fulness ful,ousness ous,iveness ive,tional tion,biliti ble,lessli less,entli ent,ation ate,' +
    'alism al,aliti al,ousli ous,iviti ive,fulli ful,enci ence,anci ance,abli able,izer ize,ator ate,alli al,bli ble,' +
    '(?<=l)ogi og,ogist og,(?<=[cdeghkmnrt])li ',
);
const furtherShortenings = endingsOf(
  'ational ate,tional tion,alize al,icate ic,iciti ic,ical ic,ness ,ful ,ative ative',
);
const lastEndings = /(ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|(?<=[st])ion|al|er|ic)$/;

function endingsOf(list: string) {
  const pairs = list.split(',').map((pair) => pair.split(' ') as [string, string]);
  const shorter = new Map(pairs.map(([ending, replacement]) => [ending.replace(/^\(.*\)/, ''), replacement]));
  return { pattern: new RegExp(`(?:${pairs.map(([ending]) => ending).join('|')})$`), shorter };
}

/**
 * Returns the stem of an English word: `retries`, `retried` and `retrying` share a stem, and so do `relate` and
 * `relations`. Expects and returns lower case. Does not change a word that has characters other than a to z, or fewer
 * than three letters. The rules are those of Porter2 (snowballstem.org, "The English (Porter2) stemming algorithm").
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return irregular.get(word) ?? stemByRules(word);
}

/** Applies the rules. Until the last step, a consonant `y` is written `Y`. */
function stemByRules(word: string): string {
  const marked = word.includes('y') ? word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y') : word;
  const singular = withoutPlural(marked);
  if (settled.has(singular)) return singular;
  const r1 = regionAfterSyllable(marked, longPrefix.exec(marked)?.[0].length ?? null, 0);
  const r2 = regionAfterSyllable(marked, null, r1);
  const plain = withoutVerbEnding(singular, r1).replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  const shortened = withoutNounEnding(shorten(plain, shortenings, r1), r1, r2);
  return withoutFinalLetter(withoutEnding(shortened, lastEndings, r2), r1, r2).toLowerCase();
}

/** Returns `known`; if it is null, the offset after the first consonant that follows a vowel at `from` or later. */
function regionAfterSyllable(word: string, known: number | null, from: number): number {
  if (known !== null) return known;
  const syllable = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return syllable === null ? word.length : from + syllable.index + 2;
}

function withoutPlural(word: string): string {
  if (!/(?:s|ied)$/.test(word)) return word;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  return /[us]s$/.test(word) || !/[aeiouy].+s$/.test(word) ? word : word.slice(0, -1);
}

function withoutVerbEnding(word: string, r1: number): string {
  const ending = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(word);
  if (ending === null) return word;
  const root = word.slice(0, ending.index);
  if (ending[0].startsWith('ee')) return ending.index >= r1 ? `${root}ee` : word;
  if (!/[aeiouy]/.test(root)) return word;
  if (/(?:at|bl|iz)$/.test(root)) return `${root}e`;
  if (/([bdfgmnprt])\1$/.test(root)) return /^[aeo]..$/.test(root) ? root : root.slice(0, -1);
  return r1 >= root.length && endsShort(root) ? `${root}e` : root;
}

/** Whether the last syllable is short, as in `rap`, `bed` and `ow`. */
function endsShort(word: string): boolean {
  return /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/.test(word);
}

function shorten(word: string, { pattern, shorter }: ReturnType<typeof endingsOf>, region: number): string {
  const ending = pattern.exec(word);
  if (ending === null || ending.index < region) return word;
  return word.slice(0, ending.index) + shorter.get(ending[0])!;
}

function withoutNounEnding(word: string, r1: number, r2: number): string {
  return withoutEnding(shorten(word, furtherShortenings, r1), /ative$/, r2);
}

function withoutEnding(word: string, ending: RegExp, region: number): string {
  const at = word.search(ending);
  return at === -1 || at < region ? word : word.slice(0, at);
}

function withoutFinalLetter(word: string, r1: number, r2: number): string {
  const last = word.length - 1;
  if (word.endsWith('e'))
    return last >= r2 || (last >= r1 && !endsShort(word.slice(0, last))) ? word.slice(0, last) : word;
  return word.endsWith('ll') && last >= r2 ? word.slice(0, last) : word;
}
