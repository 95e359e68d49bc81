import { html, type Markup } from './markup.ts';

interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
  readonly title: string;
}

/** Points of one colour, connected by a line. */
export interface PlotSeries {
  readonly name: string;
  readonly points: readonly (Share & { readonly x: number })[];
}

export interface BarGroup {
  readonly name: string;
  readonly bars: readonly (Share & { readonly name: string })[];
}

const size = { width: 640, height: 320, left: 44, right: 16, top: 12, bottom: 44 };
const base = size.height - size.bottom;

/** Colours that are distinguishable with all common forms of colour vision (Okabe & Ito). */
const colours = ['#0072b2', '#b34700', '#00785a', '#a03c78', '#806600', '#404040', '#3a6ea5', '#7a1f1f'];

export const colourOf = (index: number): string => colours[index % colours.length]!;

export const legendMarkup = (names: readonly string[]): Markup =>
  html`<ul class="swatches">${names.map((name, at) => html`<li><svg viewBox="0 0 11 11" aria-hidden="true"><rect class="bar" width="11" height="11" rx="3" fill="${colourOf(at)}"/></svg>${name}</li>`)}</ul>`;

const yOf = (share: number): string => (size.top + (1 - share) * (base - size.top)).toFixed(1);

const label = (x: number | string, y: number, text: string): Markup =>
  html`<text x="${x}" y="${y}" class="tick" text-anchor="middle">${text}</text>`;

function framed(name: string, height: number, content: readonly (Markup | readonly Markup[])[]): Markup {
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = yOf(share);
    return html`<line x1="${size.left}" x2="${size.width - size.right}" y1="${y}" y2="${y}" class="grid"/><text x="${size.left - 8}" y="${y}" class="tick" text-anchor="end" dy="4">${share * 100}</text>`;
  });
  return html`<svg class="plot" viewBox="0 0 ${size.width} ${height}" role="img" aria-label="${name}">${grid}${content}</svg>`;
}

/** Returns the scale of x: logarithmic if all values are above 0, because lengths and tokens vary widely. */
function scaleOf(values: readonly number[]) {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const isLog = distinct[0]! > 0;
  const place = (x: number) => (isLog ? Math.log(x) : x);
  const [first, last] = [place(distinct[0]!), place(distinct.at(-1)!)];
  const room = size.width - size.left - size.right - 40;
  const at = (x: number) => size.left + 20 + (last === first ? room / 2 : ((place(x) - first) / (last - first)) * room);
  const step = Math.ceil(distinct.length / 6);
  return { at, ticks: distinct.filter((_, index) => index % step === 0) };
}

const seriesGap = 9;

function seriesMarkup({ points }: PlotSeries, index: number, at: (x: number) => number): Markup {
  const places = points.map((point) => ({ ...point, x: (at(point.x) + (index - 1) * seriesGap).toFixed(1) }));
  const path = places.map(({ x, share }) => `${x},${yOf(share)}`).join(' ');
  const marks = places.map(
    ({ x, share, low, high, title }) =>
      html`<line x1="${x}" x2="${x}" y1="${yOf(low)}" y2="${yOf(high)}"/><circle cx="${x}" cy="${yOf(share)}" r="4" fill="${colourOf(index)}"><title>${title}</title></circle>`,
  );
  const line = points.length > 1 ? html`<polyline points="${path}" fill="none"/>` : null;
  return html`<g stroke="${colourOf(index)}" stroke-width="1.5">${line}${marks}</g>`;
}

/** Draws shares against a quantity. `show` formats a value of x for its tick. */
export function plotMarkup(series: readonly PlotSeries[], axis: string, show: (x: number) => string): Markup | null {
  const values = series.flatMap(({ points }) => points.map(({ x }) => x));
  if (values.length === 0) return null;
  const { at, ticks } = scaleOf(values);
  return framed(`Right answers in percent against ${axis}`, size.height, [
    ...ticks.map((x) => label(at(x).toFixed(1), base + 18, show(x))),
    label(size.width / 2, size.height - 6, axis),
    ...series.map((one, index) => seriesMarkup(one, index, at)),
  ]);
}

const legendHeight = 24;

/** Draws groups of bars with their intervals, and a legend. */
export function barsMarkup(groups: readonly BarGroup[]): Markup | null {
  const names = [...new Set(groups.flatMap(({ bars }) => bars.map(({ name }) => name)))];
  if (names.length === 0) return null;
  const room = (size.width - size.left - size.right) / groups.length;
  const width = Math.min(40, (room * 0.8) / names.length);
  const parts = groups.flatMap(({ name, bars }, index) => {
    const middle = size.left + room * (index + 0.5);
    const drawn = bars.map(({ name: own, share, low, high, title }, nth) => {
      const x = middle - (width * bars.length) / 2 + nth * width;
      const [top, centre] = [yOf(share), (x + width * 0.43).toFixed(1)];
      return html`<rect class="bar" x="${x.toFixed(1)}" y="${top}" width="${(width * 0.86).toFixed(1)}" height="${(base - Number(top)).toFixed(1)}" fill="${colourOf(names.indexOf(own))}"><title>${title}</title></rect><line class="range" x1="${centre}" x2="${centre}" y1="${yOf(low)}" y2="${yOf(high)}"/>`;
    });
    return [label(middle.toFixed(1), base + 18, name), ...drawn];
  });
  const step = (size.width - size.left) / Math.max(4, names.length);
  const legend = names.map((name, index) => {
    const x = size.left + index * step;
    return html`<rect class="bar" x="${x}" y="${size.height + 4}" width="11" height="11" fill="${colourOf(index)}"/><text x="${x + 16}" y="${size.height + 14}" class="tick">${name}</text>`;
  });
  return framed('Right answers in percent, with intervals of 95 %', size.height + legendHeight, [...parts, ...legend]);
}
