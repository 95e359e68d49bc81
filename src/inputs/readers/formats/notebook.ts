import { stripVTControlCharacters } from 'node:util';
import { isObject } from '../../../base/is-object.ts';
import type { Extract } from '../extractor.ts';
import { UnreadableFile } from '../reader.ts';

type Fields = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

const lines = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [];

/** Returns a text of a notebook. It is stored as one string, or as a list of lines with their line ends. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : lines(value).join(''));

function parse(bytes: Buffer): Fields {
  try {
    const notebook: unknown = JSON.parse(bytes.toString('utf8'));
    if (isObject(notebook)) return notebook;
  } catch (error) {
    throw new UnreadableFile('corrupt', `not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
  throw new UnreadableFile('corrupt', 'not a notebook: its JSON is not an object');
}

/** Returns the cells. Notebooks of version 4 have cells at the top level; notebooks of version 3, in worksheets. */
function cellsOf(notebook: Fields): readonly Fields[] {
  const { cells, worksheets } = notebook;
  if (!Array.isArray(cells) && !Array.isArray(worksheets))
    throw new UnreadableFile('corrupt', 'not a notebook: it has no cells');
  const found = [cells, ...listOf(worksheets).map((sheet) => sheet['cells'])].filter(Array.isArray).flat();
  // An empty cell replaces an invalid one, so that later cells keep their numbers.
  return found.map((cell: unknown) => (isObject(cell) ? cell : {}));
}

function outputText(output: Fields): string {
  const { data, text, ename, evalue, traceback } = output;
  if (typeof ename === 'string') return [`${ename}: ${textOf(evalue)}`, ...lines(traceback)].join('\n');
  const shown = isObject(data) ? (data['text/plain'] ?? data['text/markdown']) : text;
  return textOf(shown);
}

const block = (title: string, text: string): string[] => {
  const shown = stripVTControlCharacters(text).trimEnd();
  return shown === '' ? [] : [`[${title}]\n${shown}\n`];
};

function cellText(cell: Fields, index: number): string[] {
  const kind = typeof cell['cell_type'] === 'string' ? cell['cell_type'] : 'cell';
  return [
    ...block(`cell ${index + 1}: ${kind}`, textOf(cell['source'] ?? cell['input'])),
    ...listOf(cell['outputs']).flatMap((output) => block(`cell ${index + 1}: output`, outputText(output))),
  ];
}

/** Extracts the cells of a Jupyter notebook and their text outputs, each below a line with the cell's number. */
export const extractNotebook: Extract = async ({ bytes }) => {
  const text = cellsOf(parse(bytes)).flatMap(cellText).join('\n');
  if (text === '') throw new UnreadableFile('without text', 'its cells are empty');
  return { text, warnings: [] };
};
