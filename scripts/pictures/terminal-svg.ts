/** Draws a terminal as SVG. A row consists of runs of text with the same look. */
import type { IBufferCell, Terminal } from '@xterm/headless';

/** The colours of a terminal: text, background, and the eight named colours. */
interface Theme {
  readonly background: string;
  readonly text: string;
  readonly dim: string;
  /** Black, red, green, yellow, blue, magenta, cyan, white. */
  readonly named: readonly string[];
}

export const themes: Readonly<Record<'light' | 'dark', Theme>> = {
  light: {
    background: '#ffffff',
    text: '#1f2328',
    dim: '#656d76',
    named: ['#24292f', '#cf222e', '#116329', '#7d4e00', '#0969da', '#8250df', '#1b7c83', '#57606a'],
  },
  dark: {
    background: '#0d1117',
    text: '#e6edf3',
    dim: '#8b949e',
    named: ['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4'],
  },
};

/** In pixels. */
const cell = { width: 8.43, height: 19, font: 14, margin: 14 };

interface TextRun {
  readonly column: number;
  readonly columns: number;
  readonly text: string;
  readonly look: string;
}

/** Replaces spaces with no-break spaces, because adjacent spaces would collapse into one. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0');

function lookOf(one: IBufferCell, theme: Theme): string {
  const named = one.isFgPalette() ? theme.named[one.getFgColor() % 8] : undefined;
  const color = named ?? (one.isDim() ? theme.dim : theme.text);
  const bold = one.isBold() ? ' font-weight="bold"' : '';
  return `fill="${color}"${bold}${one.isStrikethrough() ? ' text-decoration="line-through"' : ''}`;
}

/** Removes the outer spaces of a run, because its text is stretched to its columns. */
function withoutSpaces({ column, columns, text, look }: TextRun): TextRun {
  const [before, after] = [text.length - text.trimStart().length, text.length - text.trimEnd().length];
  const kept = { column: column + before, columns: columns - before - after };
  return text.trim() === '' ? { column, columns, text: '', look } : { ...kept, text: text.trim(), look };
}

/** Returns a row of the screen as runs. Each wide character is a separate run, so that it keeps its place. */
function runsOf(terminal: Terminal, row: number, theme: Theme): TextRun[] {
  const line = terminal.buffer.active.getLine(row)!;
  const runs: TextRun[] = [];
  for (let column = 0; column < terminal.cols; column++) {
    const one = line.getCell(column)!;
    if (one.getWidth() === 0) continue;
    const [text, look, last] = [one.getChars() || ' ', lookOf(one, theme), runs.at(-1)];
    const joins = last?.look === look && last.columns === last.text.length && one.getWidth() === 1;
    if (joins) runs[runs.length - 1] = { ...last, text: last.text + text, columns: last.columns + 1 };
    else runs.push({ column, columns: one.getWidth(), text, look });
  }
  return runs.map(withoutSpaces).filter(({ text }) => text !== '');
}

/** Returns the number of rows up to the last one with text. */
function usedRows(terminal: Terminal): number {
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)!.translateToString(true));
  return rows.findLastIndex((text) => text !== '') + 1;
}

/** Draws the present content of a terminal, including lines that have scrolled away. */
export function terminalSvg(terminal: Terminal, theme: Theme, title: string): string {
  const rows = usedRows(terminal);
  const width = Math.ceil(terminal.cols * cell.width + 2 * cell.margin);
  const height = rows * cell.height + 2 * cell.margin;
  const texts = Array.from({ length: rows }, (_, row) =>
    runsOf(terminal, row, theme).map(({ column, columns, text, look }) => {
      const x = (cell.margin + column * cell.width).toFixed(1);
      const y = cell.margin + row * cell.height + cell.font;
      const length = (columns * cell.width).toFixed(1);
      return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${look}>${escaped(text)}</text>`;
    }),
  ).flat();
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${theme.background}" stroke="${theme.dim}" stroke-opacity="0.4"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${cell.font}">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}
