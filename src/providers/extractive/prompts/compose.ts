import type { Reply, Variables } from '../../../prompts/index.ts';
import type { KnownAnswer } from '../../../prompts/prompt.ts';
import { asWritten } from '../question/clauses.ts';
import { compareYears } from '../question/comparisons.ts';
import { notFound, saysNotFound, shorten } from '../question/not-found.ts';

interface Merged {
  readonly sections: readonly { readonly question: string; readonly text: string }[];
  readonly missing: readonly string[];
}

const cites = /\[P\d+\](?=\s|[.,;)]|$)/;
const again = 'The sentences quoted above are also the best for this question.';

function linesOf(answer: string): string[] {
  return answer.split('\n').map((line) => line.trimEnd());
}

/** Removes the lines of an answer that were quoted before; the rest keeps its blank lines. */
function newLines(lines: readonly string[], said: Set<string>): string {
  const kept = lines.filter((line) => {
    if (!cites.test(line)) return true;
    return !said.has(line) && said.add(line);
  });
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function mergeParts(parts: readonly KnownAnswer[]): Merged {
  const said = new Set<string>();
  const sections: { question: string; text: string }[] = [];
  const missing = new Set<string>();
  for (const { question, answer } of parts) {
    const lines = linesOf(answer ?? notFound(question));
    for (const line of lines.filter(saysNotFound)) missing.add(line);
    const rest = lines.filter((line) => !saysNotFound(line));
    if (rest.every((line) => line === '')) continue;
    const repeats = rest.some((line) => cites.test(line)) && rest.every((line) => !cites.test(line) || said.has(line));
    sections.push({ question, text: repeats ? again : newLines(rest, said) });
  }
  return { sections, missing: [...missing] };
}

/** Concatenates the answers to the parts, each sentence once; parts without an answer are named at the end. */
export function composeParts({ question, parts }: Variables<'compose'>): Reply<'compose'> {
  const { sections, missing } = mergeParts(parts);
  if (sections.length === 0 && missing.length === 0)
    return { finalAnswer: notFound(question), assumptions: [], tells: 'nothing', missing: [] };
  const titled = sections.length + missing.length > 1;
  const texts = sections.map((section) =>
    titled ? `${shorten(asWritten(section.question))}\n${section.text}` : section.text,
  );
  const sides = parts.map((part) => ({ question: part.question, lines: linesOf(part.answer ?? '') }));
  const compared = compareYears(question, sides);
  return {
    finalAnswer: [...(compared === null ? [] : [compared]), ...texts, ...missing].join('\n\n'),
    assumptions: [],
    tells: sections.length > 0 ? 'all' : 'nothing',
    missing: [],
  };
}
