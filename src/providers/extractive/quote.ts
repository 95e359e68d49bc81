import type { Sentence } from '../../context/sentences/sentences.ts';
import { isKeyedName } from '../../context/under/under-reader.ts';
import { withoutControls } from './sentence-index.ts';

// Citation marks: `[P12]` and `[P3, P4]` in an answer, `[2]` in printed text. An array index in code, which has no
// space before it, and `[p99]` are not marks.
const marks = /\[(\s*P\d+(?:\s*[,;]\s*P?\d+)*\s*)\]|(?<![\w\])])\[(\d+)\]/g;

/** Replaces square brackets with round ones in text that looks like a citation mark. */
export function sentenceWithoutMarks(text: string): string {
  return text.replace(marks, '($1$2)');
}

export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

type Replacement = readonly [RegExp, string];

/** Marks at the beginning of a line, such as `- `, which a quote omits. */
const leading: Partial<Record<Sentence['kind'], RegExp>> = {
  heading: /^\s*#+\s*/,
  item: /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/,
  comment: /^\s*(?:\/\*\*?|\/\/+|\*|#+|--)\s*/,
};

const markdown: readonly Replacement[] = [
  [/!?\[([^\]]+)\]\([^()\s]*(?:\s"[^"]*")?\)/g, '$1'],
  [/(?<![\p{L}\p{N}*])\*\*(?=[\p{L}\p{N}"'`(])([^*\n]+?)\*\*(?![\p{L}\p{N}*/])/gu, '$1'],
];

const markup: Partial<Record<Sentence['kind'], readonly Replacement[]>> = {
  heading: [[/^\s*#+\s*|\s+#+\s*$/g, ''], ...markdown],
  item: [[/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, ''], ...markdown],
  row: [[/^\s*\|\s*|\s*\|\s*$/g, ''], [/\s*(?<!\\)\|\s*/g, ' · '], ...markdown],
  prose: markdown,
  comment: [
    [/\s*\*\/[ \t]*$/gm, ''],
    [/^\s*(?:\/\*\*?|\/\/+|\*|#+|--)\s?(?:- )?/gm, ''],
  ],
};

function tidy(text: string, kind: Sentence['kind']): string {
  const plain = (markup[kind] ?? []).reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);
  return sentenceWithoutMarks(collapse(withoutControls(plain).replace(/```\w*/g, ' ')));
}

const keySigns = /^(?:- +)+|^\[+|\]+$|:\s*$/g;

function pathOf({ under, passage }: Sentence): string {
  if (under === '' || !isKeyedName(passage.source)) return '';
  const keys = under.split('\n').map((key) => key.replace(/\s+#.*$/, '').replace(keySigns, ''));
  return sentenceWithoutMarks(keys.map((key) => `${key} › `).join(''));
}

/** Quotes a sentence. `quote` is the text for citations. `shown` is the text for answers, with ellipses at cuts. */
export function quoteSentence(sentence: Sentence): { readonly shown: string; readonly quote: string } {
  const { text: words, kind, cutBefore, cutAfter } = sentence;
  const text = cutBefore ? words : words.replace(leading[kind] ?? '', '');
  return {
    shown: `${pathOf(sentence)}${cutBefore ? '… ' : ''}${tidy(text, kind)}${cutAfter ? ' …' : ''}`,
    quote: collapse(text),
  };
}
