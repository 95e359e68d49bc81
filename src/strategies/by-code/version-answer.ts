import { compareVersions, findVersions } from '../../context/counting/versions.ts';
import type { ContextStore } from '../../context/document.ts';
import { type CodeAnswer, exampleOf, showExample, showMany } from './code-answer.ts';

const things = '(?:versions?|releases?)';
const counts = new RegExp(
  `^\\W*(?:how many|number of|count (?:the|all)?) ?(?:different |stable )?${things}\\b(?: (?:are|were|is|have|has|does|do|did|there|been|in|of|the|this|it|changelog|change|log|file|text|document|list|lists|listed|mention|mentions|mentioned|cover|covers|covered|describe|describes|described|contain|contains|released|published|history|made|we|they|project|package|library|documented|here))*\\W*$`,
  'i',
);
const edge = new RegExp(
  `^\\W*(?:(?:what|which)(?:['’]s| is| was)?|tell me|show me)?\\s*(?:the |is |was )*(?<edge>latest|newest|last|most recent|current|highest|oldest|earliest|first|lowest)\\s+(?:published |documented |listed |released )?${things}(?: number)?\\b(?: (?:in|of|on|the|this|that|it|file|changelog|change|log|listed|mentioned|text|document|list|here|is|was|lists|mentions|contains|project|package|library))*\\W*$`,
  'i',
);
const mostExamples = 5;
const certainty = 0.9;

const fewestVersions = 2;

/**
 * Counts the versions of a changelog, or returns its first or last; null for other questions, and for texts without
 * versions.
 */
export async function answerByVersions(
  question: string,
  store: ContextStore,
  signal: AbortSignal,
): Promise<CodeAnswer | null> {
  const asked = edge.exec(question)?.groups?.['edge']?.toLowerCase();
  if (asked === undefined && !counts.test(question)) return null;
  const all = await findVersions(store, signal);
  const unique = [
    ...new Map(all.toReversed().map((one) => [`${one.document} ${one.version}`, one])).values(),
  ].reverse();
  if (unique.length < fewestVersions) return null;
  const rule = 'Rule: a version is a heading that names one';
  const sure = certainty * (new Set(unique.map(({ document }) => document)).size > 1 ? 0.6 : 1);
  if (asked === undefined) {
    const examples = unique.slice(0, mostExamples).map((one) => exampleOf(one, store));
    const head = [`${showMany(unique.length, 'version')} counted, in all of the text.`, `${rule}.`, 'Some of them:'];
    return { answer: [...head, ...examples.map(showExample)].join('\n'), examples, certainty: sure };
  }
  const isOldest = /oldest|earliest|first|lowest/.test(asked);
  const sorted = unique.toSorted((a, b) => compareVersions(a.version, b.version));
  const chosen = sorted.at(isOldest ? 0 : -1)!;
  const example = exampleOf(chosen, store);
  const answer = [
    `${chosen.version} is the ${isOldest ? 'oldest' : 'latest'} version.`,
    showExample(example),
    `${rule}; of ${showMany(unique.length, 'version')}, it is the ${isOldest ? 'first' : 'last'} by number.`,
  ].join('\n');
  return { answer, examples: [example], certainty: sure };
}
