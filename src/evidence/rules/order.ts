import { contentTerms } from '../../context/words/terms.ts';
import type { Rule } from './rule.ts';

const before = /\b(?:before|prior to|earlier than|until)\b/i;
const after = /\b(?:after|following|later than|since)\b/i;

interface Ordered {
  readonly isBefore: boolean;
  readonly left: ReadonlySet<string>;
  readonly right: ReadonlySet<string>;
}

/** Reads what a text puts before or after what; null where it says neither or both. */
function orderIn(text: string): Ordered | null {
  const [one, other] = [before.exec(text), after.exec(text)];
  const found = one ?? other;
  if (found === null || (one && other)) return null;
  const [left, right] = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
  return { isBefore: one !== null, left: new Set(contentTerms(left)), right: new Set(contentTerms(right)) };
}

const common = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...one].filter((term) => other.has(term)).length / Math.max(1, Math.min(one.size, other.size));

/** The least share of common words at which two sides speak of the same. */
const alike = 0.5;

/** Finds two events that claim and evidence put in opposite order. */
export const orderHolds: Rule = ({ text, near }) => {
  const said = orderIn(text);
  if (said === null) return null;
  for (const sentence of near) {
    const found = orderIn(sentence.text);
    if (found === null) continue;
    const same = Math.min(common(said.left, found.left), common(said.right, found.right));
    const turned = Math.min(common(said.left, found.right), common(said.right, found.left));
    if (Math.max(same, turned) < alike || Math.abs(same - turned) < alike / 2) continue;
    if (same > turned === (said.isBefore === found.isBefore)) return null;
    const [there, here] = found.isBefore ? ['before', 'after'] : ['after', 'before'];
    const reason =
      said.isBefore === found.isBefore
        ? 'the passage has it the other way round in time'
        : `the passage says ${there}, the answer ${here}`;
    return { verdict: 'contradicted', reason };
  }
  return null;
};
