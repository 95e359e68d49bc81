const vowel = /[aeiouy]/;
/** What is left of `noted` or `coding`. */
const shortWithSilentE = /^[^aeiouy][aeiouy][^aeiouywx]$/;
const doubled = /([bdfgmnprt])\1$/;

/**
 * An English word without the ending of its plural, its past or its -ing form: `retries`, `retried` and `retrying` are
 * one. Takes and gives lower case; what is no plain English word, or shorter than four letters, comes back as it is.
 * The plural rules are those of the S stemmer (Harman, "How effective is suffixing?", JASIS 1991).
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return withoutFinalVowel(withoutVerbEnding(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(us|ss|is)$/.test(word)) return word;
  if (/[^ae]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutVerbEnding(word: string): string {
  if (/[^ae]ied$/.test(word)) return `${word.slice(0, -3)}y`;
  const length = word.endsWith('ing') ? 3 : word.endsWith('ed') && !word.endsWith('eed') ? 2 : 0;
  const root = word.slice(0, word.length - length);
  if (length === 0 || root.length < 3 || !vowel.test(root)) return word;
  if (shortWithSilentE.test(root)) return `${root}e`;
  return root.length > 3 && doubled.test(root) ? root.slice(0, -1) : root;
}

function withoutFinalVowel(word: string): string {
  if (word.length > 4 && word.endsWith('e')) return word.slice(0, -1);
  return word.length > 3 && word.endsWith('y') ? `${word.slice(0, -1)}i` : word;
}
