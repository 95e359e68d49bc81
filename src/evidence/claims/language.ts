import { createMemo } from '../../base/memo.ts';

/** Common words by which a sentence's language is recognised. */
const commonWords: Readonly<Record<string, string>> = {
  en: 'the of and to is was were are that with for from by not has have had this which it be been at on but than such or if they their no an a may will can when who you your',
  de: 'der die das und ist war sind nicht mit für von dem den ein eine einer wurde wird auf bei nach zum zur im es',
  fr: 'le la les des est et était sont dans pour avec par une du au aux sur pas que qui il elle cette',
  es: 'el los las y es era son fue con para por una del al no que se su más como está',
  it: 'il gli e è era sono nel della del con per una dei non che si alla come più questo',
  pt: 'o os as e é era são foi com para por uma do da dos das não que se ao mais como',
  nl: 'het een en is was zijn niet met voor van op bij naar door wordt werd deze dat',
};

const languagesOf = new Map<string, string[]>();
for (const [language, words] of Object.entries(commonWords))
  for (const word of words.split(' ')) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);

/** The number of characters of a text that are read. */
const mostRead = 20_000;

/** One common word is not enough: several languages have "no". */
const fewestWords = 2;

/** Returns the language that has most of a text's common words; null where none has more than any other. */
function languageOf(text: string): string | null {
  const counts = new Map<string, number>();
  for (const word of new Set(text.toLowerCase().match(/\p{L}+/gu)))
    for (const language of languagesOf.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [best, next] = [...counts].sort((one, other) => other[1] - one[1]);
  return best !== undefined && best[1] >= fewestWords && best[1] > (next?.[1] ?? 0) ? best[0] : null;
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Returns the share of a text's letters that are Latin, 0–1; 1 where it has none. */
function latinShare(text: string): number {
  if (isAscii(text)) return 1;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters === 0 ? 1 : (text.match(/\p{sc=Latin}/gu)?.length ?? 0) / letters;
}

/** All claims of an answer may be held against the same text. */
const languageOfEvidence = createMemo(16, (text) => ({ language: languageOf(text) }));

/**
 * Whether a claim and its evidence are in different languages, by their scripts or their common words, so that their
 * words cannot be compared.
 */
export function isOtherLanguage(claim: string, evidence: string): boolean {
  const read = evidence.slice(0, mostRead);
  const [said, there] = [latinShare(claim), latinShare(read)];
  if ((said < 0.5 && there > 0.9) || (said > 0.9 && there < 0.5)) return true;
  const [one, other] = [languageOf(claim), languageOfEvidence(read).language];
  return one !== null && other !== null && one !== other;
}
