import type { Sentence } from '../../../context/sentences/sentences.ts';
import { termsOf } from '../sentences/text-index.ts';

const made =
  /\b(?:function|def|fn|func|fun|sub|class|interface|struct|enum|trait|module|macro|procedure)\s+([\w$]+)|^\s*(?:(?:public|private|protected|static|async|override|virtual|final)\s+)+(?:[\w<>[\]]+\s+)?([\w$]+)\s*\(/gm;
const computed = /([\w$.]+)(?:\s*:\s*[^=;]{1,40})?\s*(?:[-+*/%|&]=|=(?![=>])(?=.*(?:\w\s[-+*/%]\s\w|Math\.)))/g;
const given = /([\w$.]+)(?:\s*:\s*[^=;]{1,40})?\s*=(?![=>])|^\s*["']?([\w.-]+)["']?\s*:\s/gm;

function names(text: string, pattern: RegExp, wanted: ReadonlySet<string>): boolean {
  for (const found of text.matchAll(pattern)) {
    if (termsOf(found[1] ?? found[2] ?? '').some((term) => wanted.has(term))) return true;
  }
  return false;
}

/**
 * Rates how well a line of code defines a term: 1 where it defines or computes it, 0.7 where it only assigns a value.
 */
export function definesTerm({ text, kind }: Sentence, wanted: ReadonlySet<string>): number {
  if (kind !== 'code' && kind !== 'comment') return 0;
  if (names(text, made, wanted) || names(text, computed, wanted)) return 1;
  return names(text, given, wanted) ? 0.7 : 0;
}
