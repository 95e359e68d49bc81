/** Renders plots as SVG: accuracy with its interval, against length or cost, or as bars of groups. */

/** A point, with the interval of y. */
interface PlotPoint {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
  /** The tooltip. */
  readonly title: string;
}

/** Points of one colour, connected by a line. */
export interface PlotSeries {
  readonly name: string;
  readonly points: readonly PlotPoint[];
}

const size = { width: 640, height: 320, left: 44, right: 16, top: 12, bottom: 44 };

/**
 * Colours that are distinguishable with all common forms of colour vision (Okabe & Ito), dark enough for thin lines.
 */
const colours = ['#0072b2', '#b34700', '#00785a', '#a03c78', '#806600', '#404040', '#3a6ea5', '#7a1f1f'];

export const colourOf = (index: number): string => colours[index % colours.length]!;

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface Scale {
  at(x: number): number;
  readonly ticks: readonly number[];
}

/** Creates a scale, logarithmic where all values are above 0: lengths and tokens span decades. */
function scaleOf(values: readonly number[]): Scale {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const isLog = distinct[0]! > 0;
  const place = (x: number) => (isLog ? Math.log(x) : x);
  const [first, last] = [place(distinct[0]!), place(distinct.at(-1)!)];
  const span = last - first || 1;
  const room = size.width - size.left - size.right - 40;
  const at = (x: number) => size.left + 20 + (last === first ? room / 2 : ((place(x) - first) / span) * room);
  const step = Math.ceil(distinct.length / 6);
  return { at, ticks: distinct.filter((_, index) => index % step === 0) };
}

const heightOf = (share: number): number => size.top + (1 - share) * (size.height - size.top - size.bottom);

function grid(): string {
  return [0, 0.25, 0.5, 0.75, 1]
    .map((share) => {
      const y = heightOf(share).toFixed(1);
      const label = `<text x="${size.left - 8}" y="${y}" class="tick" text-anchor="end" dy="4">${share * 100}</text>`;
      return `<line x1="${size.left}" x2="${size.width - size.right}" y1="${y}" y2="${y}" class="grid"/>${label}`;
    })
    .join('');
}

/** Pixels between points of different series at the same x. */
const besides = 9;

function seriesSvg({ points }: PlotSeries, index: number, { at }: Scale): string {
  const colour = colourOf(index);
  const shift = (index - 1) * besides;
  const places = points.map((point) => ({ ...point, px: at(point.x) + shift }));
  const path = places.map(({ px, y }) => `${px.toFixed(1)},${heightOf(y).toFixed(1)}`).join(' ');
  const marks = places.map(({ px, y, low, high, title }) => {
    const x = px.toFixed(1);
    const bar = `<line x1="${x}" x2="${x}" y1="${heightOf(low).toFixed(1)}" y2="${heightOf(high).toFixed(1)}"/>`;
    return `${bar}<circle cx="${x}" cy="${heightOf(y).toFixed(1)}" r="4" fill="${colour}"><title>${escapeHtml(title)}</title></circle>`;
  });
  const line = points.length > 1 ? `<polyline points="${path}" fill="none"/>` : '';
  return `<g stroke="${colour}" stroke-width="1.5">${line}${marks.join('')}</g>`;
}

/**
 * Renders a plot of shares (0–1) against a quantity.
 * @param label label of the axis.
 * @param show formats a value of x for its tick.
 */
export function renderPlot(series: readonly PlotSeries[], label: string, show: (x: number) => string): string {
  const values = series.flatMap(({ points }) => points.map(({ x }) => x));
  if (values.length === 0) return '';
  const scale = scaleOf(values);
  const base = size.height - size.bottom;
  const ticks = scale.ticks.map(
    (x) =>
      `<text x="${scale.at(x).toFixed(1)}" y="${base + 18}" class="tick" text-anchor="middle">${escapeHtml(show(x))}</text>`,
  );
  const title = `<text x="${size.width / 2}" y="${size.height - 6}" class="tick" text-anchor="middle">${escapeHtml(label)}</text>`;
  const lines = series.map((one, index) => seriesSvg(one, index, scale)).join('');
  const name = escapeHtml(`Right answers in percent against ${label}`);
  return `<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${name}">${grid()}${ticks.join('')}${title}${lines}</svg>`;
}

/** A bar: a share with its interval, 0–1. */
interface Bar {
  readonly name: string;
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** The tooltip. */
  readonly title: string;
}

/** Bars that stand together under one name. */
export interface BarGroup {
  readonly name: string;
  readonly bars: readonly Bar[];
}

const legendHeight = 24;

function barSvg({ name, share, low, high, title }: Bar, x: number, width: number, names: readonly string[]): string {
  const [top, base, middle] = [heightOf(share), size.height - size.bottom, (x + width / 2).toFixed(1)];
  const ends = `y1="${heightOf(low).toFixed(1)}" y2="${heightOf(high).toFixed(1)}"`;
  const colour = colourOf(names.indexOf(name));
  return `<rect class="bar" x="${x.toFixed(1)}" y="${top.toFixed(1)}" width="${width.toFixed(1)}" height="${(base - top).toFixed(1)}" fill="${colour}"><title>${escapeHtml(title)}</title></rect><line class="range" x1="${middle}" x2="${middle}" ${ends}/>`;
}

function legend(names: readonly string[]): string {
  const step = (size.width - size.left) / Math.max(4, names.length);
  const entries = names.map((name, index) => {
    const x = size.left + index * step;
    const square = `<rect class="bar" x="${x}" y="${size.height + 4}" width="11" height="11" fill="${colourOf(index)}"/>`;
    return `${square}<text x="${x + 16}" y="${size.height + 14}" class="tick">${escapeHtml(name)}</text>`;
  });
  return entries.join('');
}

/** Renders groups of bars with their intervals; empty without bars. */
export function renderBars(groups: readonly BarGroup[]): string {
  const names = [...new Set(groups.flatMap(({ bars }) => bars.map(({ name }) => name)))];
  if (names.length === 0) return '';
  const room = (size.width - size.left - size.right) / groups.length;
  const width = Math.min(40, (room * 0.8) / names.length);
  const parts = groups.map(({ name, bars }, index) => {
    const middle = size.left + room * (index + 0.5);
    const start = middle - (width * bars.length) / 2;
    const label = `<text x="${middle.toFixed(1)}" y="${size.height - size.bottom + 18}" class="tick" text-anchor="middle">${escapeHtml(name)}</text>`;
    return label + bars.map((bar, at) => barSvg(bar, start + at * width, width * 0.86, names)).join('');
  });
  const height = size.height + legendHeight;
  return `<svg viewBox="0 0 ${size.width} ${height}" role="img" aria-label="Right answers in percent, with intervals of 95 %">${grid()}${parts.join('')}${legend(names)}</svg>`;
}

const themes = {
  light: { ink: '#1f2328', paper: '#ffffff', bar: 1 },
  dark: { ink: '#e6edf3', paper: '#0d1117', bar: 1.5 },
};

/** Returns a plot as a file of its own, for a light or a dark page. */
export function standalone(svg: string, theme: keyof typeof themes): string {
  const { ink, paper, bar } = themes[theme];
  const style = `svg{font:12px sans-serif;background:${paper}}.tick{fill:${ink}}.grid{stroke:${ink};stroke-opacity:.25}.range{stroke:${ink};stroke-width:1.5}.bar{filter:brightness(${bar})}`;
  return svg.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ').replace('>', `><style>${style}</style>`);
}
