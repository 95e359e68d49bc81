import type { DomNode, FormatCallback } from 'html-to-text';
import { dittoMark } from '../../../context/document.ts';

/** Maximum number of cells that spans may add to a page. In a page with more, spans are ignored. */
const mostRepeated = 100_000;
const mostColumns = 1_000;
const mostRows = 65_534;
const mostRepeatedCharacters = 200;
/** Maximum number of characters of a cell that is written in one line, not counting its last element. */
const mostCellCharacters = 1_000;
/** A cell with one of these elements is page layout, not a cell of a data table. */
const ofLayout: readonly string[] = ['table', 'tr', 'pre', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const unread: readonly string[] = ['script', 'style', 'noscript', 'template', 'svg'];
/** Elements that stand on lines of their own, in addition to those that the parser knows. */
export const lineElements =
  'address center dd details dialog dl dt fieldset figcaption figure legend li menu option summary';
const known = 'article aside br div footer form header hr main nav ol p section ul';
const blocks: readonly string[] = `${lineElements} ${known}`.split(' ');

/** Selectors of elements that are hidden by their own attributes. */
export const hiddenSelectors: readonly string[] = [
  '[hidden]',
  ...['display:none', 'display: none', 'visibility:hidden', 'visibility: hidden'].map(
    (style) => `[style*="${style}" i]`,
  ),
];

/** Returns the sign before a raised number, so that 10^6, or a value and the number of its note, stay apart. */
export function signBefore(element: DomNode): string {
  let first: DomNode | undefined = element;
  for (let depth = 0; first?.children && depth < 8; depth++)
    first = first.children.find(({ type, data }) => type !== 'text' || data?.trim() !== '');
  return /^\s*[-−]?\d/.test(first?.data ?? '') ? '^' : '';
}

const isHidden = ({ attribs }: DomNode): boolean =>
  attribs?.hidden !== undefined || /(?:display: ?none|visibility: ?hidden)/i.test(attribs?.style ?? '');

/** Returns the text of a cell in one line; null for page layout and for long text with markup. */
function lineOf(cell: DomNode): string | null {
  let text = '';
  const isAppended = (node: DomNode): boolean => {
    if (node.type === 'text') text += node.data ?? '';
    if (node.type !== 'tag' || unread.includes(node.name!) || isHidden(node)) return true;
    if (ofLayout.includes(node.name!) || text.length > mostCellCharacters) return false;
    const isBlock = blocks.includes(node.name!);
    text += isBlock ? ' ' : node.name === 'sup' ? signBefore(node) : '';
    const isWhole = node.children.every(isAppended);
    if (isBlock) text += ' ';
    return isWhole;
  };
  return cell.children.every(isAppended) ? text.replace(/[ \t\r\n\f\u200b]+/g, ' ').trim() : null;
}

function spanOf({ attribs }: DomNode, name: 'colspan' | 'rowspan', most: number): number {
  const value = Number.parseInt(attribs?.[name] ?? '1', 10);
  if (value === 0 && name === 'rowspan') return most;
  return value > 0 ? Math.min(value, most) : 1;
}

/** A cell that reaches into the rows below it. */
interface Reaching {
  rows: number;
  readonly text: string;
}

/**
 * Creates the formatter of a row, which puts a tab between cells. A cell that spans rows is repeated in each
 * further row, after a mark. A cell that spans columns is followed by empty cells.
 */
export function createRowFormatter(): FormatCallback {
  /** The reaching cells of each group of rows, by column. */
  const groups = new WeakMap<DomNode, Map<number, Reaching>>();
  let repeated = 0;

  function reachingText(reaching: Map<number, Reaching>, column: number): string | null {
    const found = reaching.get(column);
    if (found === undefined) return null;
    if (--found.rows === 0) reaching.delete(column);
    repeated++;
    return found.text;
  }

  /** Returns the content of each column of a row: the row's own cells as nodes, and all other cells as text. */
  function cellsOf(cells: readonly DomNode[], reaching: Map<number, Reaching>): (string | DomNode)[] {
    if (repeated > mostRepeated) return [...cells];
    const placed: (string | DomNode)[] = [];
    const begun = new Map<number, Reaching>();
    const left = [...cells];
    let end = -1;
    for (const column of reaching.keys()) end = Math.max(end, column);
    while (left.length > 0 || placed.length <= end) {
      const column = placed.length;
      const above = reachingText(reaching, column);
      const cell = above === null ? left.shift() : undefined;
      placed.push(above ?? cell ?? '');
      if (cell === undefined || repeated > mostRepeated) continue;
      const [columns, rows] = [spanOf(cell, 'colspan', mostColumns), spanOf(cell, 'rowspan', mostRows)];
      const line = (lineOf(cell) ?? '').slice(0, mostRepeatedCharacters);
      for (let at = column; at < column + columns; at++) {
        if (at > column) placed.push('');
        if (rows > 1) begun.set(at, { rows: rows - 1, text: at === column && line !== '' ? dittoMark + line : '' });
      }
      repeated += columns - 1;
    }
    for (const [column, cell] of begun) reaching.set(column, cell);
    return placed;
  }

  return (row, walk, builder) => {
    const reaching = groups.get(row.parent!) ?? new Map<number, Reaching>();
    groups.set(row.parent!, reaching);
    const cells = row.children.filter((node) => (node.name === 'td' || node.name === 'th') && !isHidden(node));
    const placed = cellsOf(cells, reaching);
    if (cells.length === 0) return;
    const isAlone = cells.length === 1 && placed.slice(1).every((cell) => cell === '');
    const isHeader = cells.length > 1 && cells.every(({ name }) => name === 'th');
    const isOfLayout = cells.some((cell) => lineOf(cell) === null);
    builder.openBlock({ leadingLineBreaks: isHeader ? 2 : 1 });
    for (const [column, cell] of (isAlone ? cells : placed).entries()) {
      if (column > 0) builder.addLiteral(repeated > mostRepeated ? ' ' : '\t');
      if (typeof cell !== 'string' && isOfLayout) walk(cell.children, builder);
      else builder.addLiteral(typeof cell === 'string' ? cell : lineOf(cell)!);
    }
    builder.closeBlock({ trailingLineBreaks: 1 });
  };
}
