/** A reply's JSON Schema in the words that `node-llama-cpp` makes a grammar from. */

type Schema = Readonly<Record<string, unknown>>;

/** More numbers than that make a large grammar; such a number stays unbounded, and is checked when it is read. */
const mostNumbers = 1_000;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The numbers that a bounded integer may be: a grammar has no other way to keep to bounds. */
function numbersOf({ type, minimum, maximum }: Schema): number[] | null {
  if (type !== 'integer' || typeof minimum !== 'number' || typeof maximum !== 'number') return null;
  const count = Math.floor(maximum) - Math.ceil(minimum) + 1;
  if (!(count > 0 && count <= mostNumbers)) return null;
  return Array.from({ length: count }, (_, place) => Math.ceil(minimum) + place);
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (!isObject(value)) return value;
  const numbers = numbersOf(value);
  if (numbers !== null) return { enum: numbers };
  const { anyOf, ...rest } = value;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, convert(part)]));
  return anyOf === undefined ? inner : { ...inner, oneOf: convert(anyOf) };
}

/** The schema with `anyOf` as `oneOf`, and each bounded integer as the list of its values. */
export const grammarSchema = (schema: object): object => convert(schema) as object;
