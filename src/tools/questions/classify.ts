import * as z from 'zod/mini';
import { counted, cutText } from '../../base/text.ts';
import type { Passage } from '../../state.ts';
import { page, plainBlock } from '../page.ts';
import { type Unit, unitsOf } from '../texts/units.ts';
import { type FittingResult, optionalText, somewhere, type Tool, type ToolWorld, textParameter } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

const mostLabels = 26;

const parameters = z.object({
  question: textParameter('what decides the label'),
  labels: z.array(z.string().check(z.minLength(1))).check(z.minLength(2), z.maxLength(mostLabels)),
  path: somewhere,
  each: optionalText('item: line (default), paragraph, file, or a pattern that begins each'),
});

type Given = z.infer<typeof parameters>;

const examples = 2;
const exampleCharacters = 160;
/** Maximum number of characters in the list of lines with one label. The table has all lines. */
const placeCharacters = 600;

export const classify: Tool<Given> = {
  name: 'classify',
  about: 'Counts by meaning: a model gives each item one of your labels, code counts. Few calls for all of the text.',
  parameters,
  example: { question: 'What does the customer ask for?', labels: ['refund', 'repair', 'other'], path: 'mails.txt' },
  needs: 'questions',
  run,
};

async function run(given: Given, world: ToolWorld): Promise<FittingResult> {
  const refusal = world.questions!.refusal();
  if (refusal !== null) throw new ToolError(refusal);
  const { question, each = 'line' } = given;
  const labels = [...new Set(given.labels.map((label) => label.trim()))];
  const units = await unitsOf({ ...given, each }, world);
  const longest = Math.floor(world.pieceBytes / 4);
  const items = units.map((unit) => cutText(unit.text, longest));
  const found = await world.questions!.label({ question, labels, items });
  const cut = units.filter((unit) => unit.text.length > longest).length;
  const rows = units.map(({ source, startLine, endLine, text: item }, index) => ({
    ...{ file: source, first: startLine, last: endLine, label: found[index] ?? null, text: item },
  }));
  const table = world.questions!.tables.add('labels', rows);
  return show(units, found, [...labels, null], { given, table, cut }, world);
}

/** Returns the numbers of the lines at which items begin, such as `3, 7-9`. */
function rangesOf(units: readonly Unit[]): string {
  const spans: { first: number; last: number }[] = [];
  for (const { startLine, endLine } of units) {
    const before = spans.at(-1);
    if (before !== undefined && before.last === startLine - 1 && startLine === endLine) before.last = endLine;
    else spans.push({ first: startLine, last: startLine });
  }
  return spans.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}

function placesOf(units: readonly Unit[]): string {
  const byFile = new Map<string, Unit[]>();
  for (const unit of units) byFile.set(unit.source, [...(byFile.get(unit.source) ?? []), unit]);
  return [...byFile].map(([file, own]) => `${file}: ${rangesOf(own)}`).join('; ');
}

const exampleOf = ({ text: item, startLine, passages }: Unit): string =>
  `  ${passages.map(({ id }) => `[${id}]`).join('')} ${startLine}: ${cutText(item.split('\n')[0]!.trim(), exampleCharacters)}`;

function show(
  units: readonly Unit[],
  found: readonly (string | null)[],
  labels: readonly (string | null)[],
  { given, table, cut }: { readonly given: Given; readonly table: string; readonly cut: number },
  world: ToolWorld,
): FittingResult {
  const groups = labels
    .map((label) => ({ name: label ?? '(no label)', own: units.filter((_, index) => found[index] === label) }))
    .filter(({ name, own }) => own.length > 0 || name !== '(no label)');
  const counts = groups.map(({ name, own }) => `${name}: ${own.length}`);
  const places = groups
    .filter(({ own }) => own.length > 0)
    .map(({ name, own }) => cutText(`${name} is at ${placesOf(own)}`, placeCharacters));
  const head = `${counted(units.length, 'item')} got a label`;
  const output = [head, ...counts, ...places].join('\n');
  const computed = world.compute({ by: 'classify', code: JSON.stringify(given), output });
  const shown = groups.map(({ own }) => own.slice(0, examples));
  const labelled = groups.flatMap((_, index) => [counts[index]!, ...shown[index]!.map(exampleOf)]);
  const blocks = [`[${computed.id}] ${head}:`, ...labelled, ...places];
  const cited: readonly Passage[] = [computed, ...shown.flat().flatMap(({ passages }) => passages)];
  const tooLong = `Only the beginning was read of ${counted(cut, 'item')}, which ${cut === 1 ? 'is' : 'are'} very long`;
  const end = () => [...(cut > 0 ? [tooLong] : []), `In SQL, for query: ${table}(file, first, last, label, text)`];
  return page({ blocks: blocks.map(plainBlock), end, cited: () => cited });
}
