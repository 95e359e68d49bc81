/** A number in a text, with its unit. */
export interface Quantity {
  /** As written in the text. */
  readonly text: string;
  readonly value: number;
  /** The unit in its shortest form (`ms`, `%`, `$`), or ''. */
  readonly unit: string;
  readonly start: number;
  readonly end: number;
}

const words: readonly string[] = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const valueOfWord: ReadonlyMap<string, number> = new Map(words.map((word, value) => [word, value]));

const scales: ReadonlyMap<string, number> = new Map([
  ['hundred', 1e2],
  ['thousand', 1e3],
  ['k', 1e3],
  ['million', 1e6],
  ['mio', 1e6],
  ['billion', 1e9],
  ['bn', 1e9],
  ['trillion', 1e12],
]);

/** Units under their shortest form. */
const unitForms: readonly (readonly [string, string])[] = [
  ['ms', 'ms milliseconds millisecond'],
  ['s', 's sec secs second seconds'],
  ['min', 'min mins minute minutes'],
  ['h', 'h hr hrs hour hours'],
  ['d', 'd day days'],
  ['week', 'week weeks'],
  ['month', 'month months'],
  ['year', 'year years yr yrs'],
  ['%', '% percent'],
  ['$', '$ usd dollar dollars'],
  ['€', '€ eur euro euros'],
  ['£', '£ gbp pound pounds'],
  ['b', 'b byte bytes'],
  ['kb', 'kb kib kilobytes'],
  ['mb', 'mb mib megabytes'],
  ['gb', 'gb gib gigabytes'],
  ['tb', 'tb tib terabytes'],
  ['mm', 'mm millimetres millimeters'],
  ['cm', 'cm centimetres centimeters'],
  ['m', 'metre metres meter meters'],
  ['km', 'km kilometre kilometres kilometer kilometers'],
  ['mile', 'mile miles mi'],
  ['ft', 'ft foot feet'],
  ['g', 'g gram grams'],
  ['kg', 'kg kilogram kilograms'],
  ['t', 'ton tons tonne tonnes'],
  ['w', 'w watt watts'],
  ['kw', 'kw kilowatt kilowatts'],
  ['mw', 'mw megawatt megawatts'],
  ['°c', '°c celsius'],
  ['°f', '°f fahrenheit'],
];
const shortest: ReadonlyMap<string, string> = new Map(
  unitForms.flatMap(([unit, forms]) => forms.split(' ').map((form) => [form, unit] as const)),
);

// A number within an identifier, a version or a path is left out.
const number = new RegExp(
  String.raw`(?=[-$€£\d]|${words.join('|')})(?<![\p{L}\p{N}_]|\p{L}[-./_]|\p{N}[./_:])(?<sign>[$€£] ?)?(?:(?<digits>(?:(?<!\p{N})-)?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?))(?!\d|[.:/_]\d|,\d{3})|\b(?<word>${words.join('|')})\b)(?:[ \u00a0-]?(?<scale>hundred|thousand|million|billion|trillion|mio|bn|k(?![\p{L}\p{N}]))\b)?(?:[ \u00a0-]?(?<unit>%|°[CF]|\p{L}+))?`,
  'giu',
);

/** The numbers of a text, in order. Takes time in proportion to the text. */
export function readQuantities(text: string): Quantity[] {
  return [...text.matchAll(number)].flatMap((found) => {
    const { sign, digits, word, scale, unit } = found.groups!;
    const base = digits === undefined ? valueOfWord.get(word!.toLowerCase())! : Number(digits.replaceAll(',', ''));
    const known = shortest.get((sign ?? unit ?? '').trim().toLowerCase());
    const value = base * (scale === undefined ? 1 : scales.get(scale.toLowerCase())!);
    const isUnit = unit !== undefined && shortest.has(unit.toLowerCase());
    const whole = unit !== undefined && !isUnit ? found[0].slice(0, -unit.length) : found[0];
    const shown = whole.replace(/[ \u00a0-]+$/, '');
    return [{ text: shown, value, unit: known ?? '', start: found.index, end: found.index + shown.length }];
  });
}

/** Sizes of units that measure the same, in the smallest of them. */
const sizes: readonly Readonly<Record<string, number>>[] = [
  { ms: 1, s: 1e3, min: 6e4, h: 3.6e6, d: 8.64e7, week: 6.048e8 },
  { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 },
  { mm: 1, cm: 10, m: 1e3, km: 1e6 },
  { g: 1, kg: 1e3, t: 1e6 },
  { w: 1, kw: 1e3, mw: 1e6 },
];

/** Returns a quantity's value in a unit; null where the units differ in kind. A number without a unit fits any. */
export function valueIn(unit: string, { value, unit: own }: Quantity): number | null {
  if (own === unit || own === '' || unit === '') return value;
  const size = sizes.find((group) => own in group && unit in group);
  return size ? (value * size[own]!) / size[unit]! : null;
}

/** Whether two quantities are equal, also in different units of a kind. */
export function isSameQuantity(one: Quantity, other: Quantity): boolean {
  const value = valueIn(one.unit, other);
  return value !== null && Math.abs(one.value - value) <= 1e-9 * Math.max(1, Math.abs(one.value));
}
