const unitMs: readonly (readonly [names: string, ms: number])[] = [
  ['ms msec msecs millis millisecond milliseconds', 1],
  ['s sec secs second seconds', 1_000],
  ['m min mins minute minutes', 60_000],
  ['h hr hrs hour hours', 3_600_000],
  ['d day days', 86_400_000],
];
const factors = new Map(unitMs.flatMap(([names, ms]) => names.split(' ').map((name) => [name, ms] as const)));

const unit = [...factors.keys()].toSorted((a, b) => b.length - a.length).join('|');
const part = `\\d+(?:\\.\\d+)?\\s?(?:${unit})(?![a-z])`;
const joined = `\\d+(?:\\.\\d+)?\\s?(?:${unit})(?=\\d|[^a-z]|$)`;
const length = `${joined}(?:(?:,? and |, | )?${part})*`;
const clock = '\\d{1,2}:\\d\\d(?::\\d\\d)?(?:\\.\\d+)?';
const keys = 'elapsed|duration|took|runtime|run_time|total[ _]time|wall(?:_?time)?|time[ _]taken|dur';

const forms: readonly RegExp[] = [
  // `elapsed_s=254`, `"duration_ms": 1200`
  new RegExp(`\\b(?:${keys})_(?<unit>${unit})["']?\\s*[=:]\\s*["']?(?<number>\\d+(?:\\.\\d+)?)`, 'i'),
  // `elapsed=7h52m`, `Total time: 3 min`, `took 47 minutes`, `took=00:03:48`
  new RegExp(
    `\\b(?:${keys})["']?\\s*(?:[=:]\\s*["']?|of )?(?:about |around |only |just )?(?:(?<length>${length})|(?<clock>${clock}))`,
    'i',
  ),
  // `finished in 3m48s`, `done after 12 s`, `lasted 5 minutes`
  new RegExp(
    `\\b(?:in|after|within|lasted|for)\\s+(?:about |around |only |just )?(?:(?<length>${length})|(?<clock>\\d{1,2}:\\d\\d:\\d\\d))`,
    'i',
  ),
  // `time=92.4s`, `412 seconds elapsed`
  new RegExp(`\\btime["']?\\s*[=:]\\s*["']?(?<length>${length})`, 'i'),
  new RegExp(`(?<![\\w.])(?<length>${length})\\s+(?:elapsed|in total|total)\\b`, 'i'),
  // `build finished (3m48s)`
  new RegExp(`[([](?<length>${length})[)\\]]`, 'i'),
];

function lengthMs(text: string): number {
  const parts = text.toLowerCase().matchAll(new RegExp(`(\\d+(?:\\.\\d+)?)\\s?(${unit})`, 'g'));
  return [...parts].reduce((sum, [, number, name]) => sum + Number(number) * factors.get(name!)!, 0);
}

/** Reads `1:02:03` as hours, minutes and seconds, and `2:03` as minutes and seconds; in milliseconds. */
function clockMs(text: string): number {
  return text.split(':').reduce((sum, number) => sum * 60 + Number(number), 0) * 1000;
}

/** Returns the duration that a line states, in milliseconds; null where it states none. */
export function statedDuration(line: string): number | null {
  for (const form of forms) {
    const found = form.exec(line)?.groups;
    if (found === undefined) continue;
    const { unit: name, number, length: written, clock: hours } = found;
    if (number !== undefined) return Number(number) * factors.get(name!.toLowerCase())!;
    return written === undefined ? clockMs(hours!) : lengthMs(written);
  }
  return null;
}
