/** Draws reliability diagrams: how often answers with a confidence were right. Shares and confidences are 0–1. */

import { mean, wilson } from '../../src/eval/statistics/intervals.ts';
import { escapeText } from '../../src/report/html/markup.ts';

/** Questions with nearly the same confidence. */
export interface ReliabilityBin {
  /** The mean confidence. */
  readonly said: number;
  /** The share of right answers, with its 95 % interval. */
  readonly right: number;
  readonly low: number;
  readonly high: number;
  readonly questions: number;
}

/** A diagram with its caption. */
export interface Reliability {
  readonly title: string;
  /** The line below the title. */
  readonly figures: string;
  readonly bins: readonly ReliabilityBin[];
}

const ten = 10;

/** Returns ten bins of equal width by confidence, without empty ones. */
export function reliabilityBins(said: readonly number[], isRight: readonly boolean[]): ReliabilityBin[] {
  const bins = Array.from({ length: ten }, (_, bin) =>
    said.flatMap((one, place) => (Math.min(ten - 1, Math.floor(one * ten)) === bin ? [place] : [])),
  );
  return bins
    .filter((places) => places.length > 0)
    .map((places) => {
      const right = mean(places.map((place) => Number(isRight[place])));
      const questions = places.length;
      return { said: mean(places.map((place) => said[place]!)), right, ...wilson(right, questions), questions };
    });
}

/** In pixels. The diagram is a square with sides of `side`. */
const size = { width: 400, height: 440, left: 56, top: 64, side: 320 };
const mostRadius = 12;
const leastRadius = 2.5;

const xOf = (share: number): string => (size.left + share * size.side).toFixed(1);
const yOf = (share: number): string => (size.top + (1 - share) * size.side).toFixed(1);
const points = (share: number): number => Math.round(100 * share);

/** The style draws the background, so that the colours suit it on a light and a dark page. */
const style = `
text{font:12px system-ui,sans-serif;fill:#24292f}
.title{font-size:14px;font-weight:600}
.back{fill:#fff}
.grid{stroke:#d8dee4}
.even{stroke:#57606a;stroke-dasharray:5 4}
.bin line{stroke:#0072b2;stroke-width:1.5}
.bin circle{fill:#0072b2;fill-opacity:.55;stroke:#0072b2}
@media(prefers-color-scheme:dark){
text{fill:#e6edf3}
.back{fill:#0d1117}
.grid{stroke:#30363d}
.even{stroke:#9198a1}
.bin line,.bin circle{stroke:#58b4f0}
.bin circle{fill:#58b4f0}
}
`;

/** Draws grid lines with labels on both axes, the names of the axes, and the diagonal. */
function renderAxes(): string {
  const lines = [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => {
    const [x, y] = [xOf(share), yOf(share)];
    return [
      `<path class="grid" d="M${xOf(0)} ${y}H${xOf(1)}M${x} ${yOf(0)}V${yOf(1)}"/>`,
      `<text x="${size.left - 8}" y="${y}" dy="4" text-anchor="end">${points(share)}</text>`,
      `<text x="${x}" y="${size.top + size.side + 18}" text-anchor="middle">${points(share)}</text>`,
    ].join('\n');
  });
  const [across, down] = [xOf(0.5), yOf(0.5)];
  return [
    ...lines,
    `<text x="${across}" y="${size.height - 16}" text-anchor="middle">said, of 100</text>`,
    `<text x="16" y="${down}" text-anchor="middle" transform="rotate(-90 16 ${down})">right, of 100</text>`,
    `<line class="even" x1="${xOf(0)}" y1="${yOf(0)}" x2="${xOf(1)}" y2="${yOf(1)}"/>`,
  ].join('\n');
}

/** Draws a dot with its interval. The area of the dot is proportional to the number of questions. */
function renderBin({ said, right, low, high, questions }: ReliabilityBin, most: number): string {
  const x = xOf(said);
  const radius = Math.max(leastRadius, mostRadius * Math.sqrt(questions / most)).toFixed(1);
  const told = `said ${points(said)}, right ${points(right)} (${points(low)}–${points(high)}), ${questions} questions`;
  return [
    `<g class="bin"><title>${told}</title>`,
    `<circle cx="${x}" cy="${yOf(right)}" r="${radius}"/>`,
    `<line x1="${x}" x2="${x}" y1="${yOf(low)}" y2="${yOf(high)}"/></g>`,
  ].join('');
}

/** Draws a diagram as SVG. On the diagonal, the confidence equals the share. The same bins give the same text. */
export function renderReliability({ title, figures, bins }: Reliability): string {
  const most = Math.max(...bins.map(({ questions }) => questions));
  const name = escapeText(title);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-label="${name}">`,
    `<style>${style}</style>`,
    `<rect class="back" width="${size.width}" height="${size.height}" rx="6"/>`,
    `<text class="title" x="16" y="26">${name}</text>`,
    `<text x="16" y="46">${escapeText(figures)}</text>`,
    renderAxes(),
    ...bins.map((bin) => renderBin(bin, most)),
    '</svg>',
  ].join('\n')}\n`;
}
