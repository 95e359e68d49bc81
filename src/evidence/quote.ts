/** Where a quote stands in a text: offsets in characters, end exclusive. */
export interface QuotePlace {
  readonly start: number;
  readonly end: number;
}

const longestQuote = 2_000;

/** Differences that copying makes without changing the words: white space, the shape of quotes and dashes, an ellipsis. */
function pattern(quote: string): RegExp {
  const words = quote.slice(0, longestQuote).trim().split(/\s+/);
  const loose = words.map((word) =>
    word
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/["“”„«»]/g, '["“”„«»]')
      .replace(/['‘’‚]/g, "['‘’‚]")
      .replace(/[-–—]/g, '[-–—]'),
  );
  return new RegExp(loose.join('\\s+'), 'u');
}

/** A model that quotes only part of a sentence marks the cut with dots. */
const withoutEllipsis = (quote: string) => quote.replace(/^\s*(?:\.{3}|…)\s*/, '').replace(/\s*(?:\.{3}|…)\s*$/, '');

/** Finds a quote in a text, word by word; null when it does not stand there. */
export function findQuote(text: string, quote: string): QuotePlace | null {
  const wanted = withoutEllipsis(quote);
  if (wanted.trim() === '') return null;
  const exact = text.indexOf(wanted);
  if (exact >= 0) return { start: exact, end: exact + wanted.length };
  const match = pattern(wanted.toWellFormed()).exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : null;
}
