/** How many contradictions between two documents are reported, and how often two agreeing documents are reported. */
import { splitSentences } from '../../src/context/sentences/split.ts';
import { contentTerms } from '../../src/context/words/terms.ts';
import { findContradictions } from '../../src/evidence/contradictions/find-contradictions.ts';
import { passageOf } from '../fitting/wice.ts';
import { changes } from './changes.ts';
import { type Half, retoldSentences } from './claims.ts';
import type { Pair } from './pairs.ts';

const each = 25;
const questionTerms = 4;
const asked = (text: string) => contentTerms(text).slice(0, questionTerms).join(' ');

/**
 * Sentences paired with a copy in which one thing is changed, and, as agreeing pairs, with their own paragraph or its
 * neighbour.
 */
export function articlePairs(data: string, half: Half): Pair[] {
  const claims = retoldSentences(data, half);
  const changed = Object.entries(changes).flatMap(([form, change]) =>
    claims
      .flatMap(({ text }): Pair[] => {
        const other = change(text);
        return other === null || other === text
          ? []
          : [{ form, question: asked(text), one: text, other, contradicts: true }];
      })
      .slice(0, each),
  );
  const paragraphs = [...new Set(claims.map(({ passages }) => passages[0]!.text))];
  const first = (text: string) => text.slice(0, splitSentences(text)[0]!.end);
  const agreeing = [
    ...claims
      .slice(0, 2 * each)
      .map(({ text, passages }) => ({ question: asked(text), one: text, other: passages[0]!.text })),
    ...paragraphs
      .slice(0, 2 * each)
      .map((one, place) => ({ question: asked(first(one)), one, other: paragraphs[place + 1]! })),
  ];
  return [...changed, ...agreeing.map((pair) => ({ ...pair, form: 'agreeing', contradicts: false }))];
}

/** Lines with the share of pairs in which a contradiction is reported, by their form. */
export function noticed(pairs: readonly Pair[]): string[] {
  const seen = ({ question, one, other }: Pair) =>
    findContradictions(question, [passageOf(one, 'one.md', 'P1'), passageOf(other, 'other.md', 'P2')]).length > 0;
  const share = (of: readonly Pair[]) => `${(of.filter(seen).length / of.length).toFixed(2)} of ${of.length}`;
  const against = pairs.filter(({ contradicts }) => contradicts);
  const forms = [...new Set(against.map(({ form }) => form))].map((form) => {
    return `${form} ${share(against.filter((pair) => pair.form === form))}`;
  });
  const agreeing = pairs.filter(({ contradicts }) => !contradicts);
  return [`  noticed ${share(against)}; false alarms ${share(agreeing)}`, `  ${forms.join('  ')}`];
}
