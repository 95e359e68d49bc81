/** Common words of languages, by which a sentence is told; those that several of them have are left out. */
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

/** So much of a text is looked at, in characters. */
const mostRead = 20_000;

/** One word tells nothing: "no" stands in several. */
const fewestWords = 2;

/** The language that has most of a text's common words, beyond any other; null where there is none. */
function languageOf(text: string): string | null {
  const counts = new Map<string, number>();
  for (const word of new Set(text.toLowerCase().match(/\p{L}+/gu)))
    for (const language of languagesOf.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [best, next] = [...counts].sort((one, other) => other[1] - one[1]);
  return best !== undefined && best[1] >= fewestWords && best[1] > (next?.[1] ?? 0) ? best[0] : null;
}

/** The share of a text's letters that are Latin, 0–1; 1 where there are none. */
function latinShare(text: string): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters === 0 ? 1 : (text.match(/\p{sc=Latin}/gu)?.length ?? 0) / letters;
}

/**
 * Whether a claim is in another language than what it would be held against, so that words cannot be compared: in
 * another script, or by its common words.
 */
export function isOtherLanguage(claim: string, evidence: string): boolean {
  const read = evidence.slice(0, mostRead);
  const [said, there] = [latinShare(claim), latinShare(read)];
  if ((said < 0.5 && there > 0.9) || (said > 0.9 && there < 0.5)) return true;
  const [one, other] = [languageOf(claim), languageOf(read)];
  return one !== null && other !== null && one !== other;
}
