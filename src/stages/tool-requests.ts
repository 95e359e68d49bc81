/** Finds requests for tools in an answer, and claims that can be computed, by their form and without a model. */

/** A tool call that an answer requests or claims the result of. */
export interface ToolRequest {
  readonly tool: 'calculate' | 'peek_context' | 'read_file' | 'run_code';
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The value that the answer claims; null for a request. */
  readonly claimed: string | null;
}

type Placed = ToolRequest & { readonly at: number };

const calculation = /\[calculate:\s*([^\]\n]{1,300})\]/gi;
const lookUp = /\[check:\s*([^\]\n]{1,300}?)(?::(\d{1,7})(?:-(\d{1,7}))?)?\s*\]/gi;

const value = String.raw`\d[\d,]{0,20}(?:\.\d{1,12})?`;
const claim = new RegExp(
  String.raw`(?<![\w.,])(${value}(?:\s{0,3}[-+*/×÷−]\s{0,3}${value}){1,20})\s{0,3}=\s{0,3}(-?${value})`,
  'g',
);

/** Matches a block of code, and the line after it. */
const code = /^```(?:js|javascript)[ \t]*\n([\s\S]{1,20000}?)\n```[ \t]*\n{0,2}([^\n]{0,200})/gm;
const saysResult = /\b(?:prints?|outputs?|returns?|gives|yields|results?)\b|→|=>/i;

const plainNumbers = (expression: string): string =>
  expression.replace(/,/g, '').replace(/×/g, '*').replace(/÷/g, '/').replace(/−/g, '-');

function calculations(answer: string): Placed[] {
  const asked = [...answer.matchAll(calculation)].map(({ index, 1: expression = '' }) => ({
    index,
    expression,
    claimed: null,
  }));
  const claims = [...answer.matchAll(claim)].map(({ index, 1: expression = '', 2: claimed = '' }) => ({
    index,
    expression: plainNumbers(expression),
    claimed: plainNumbers(claimed),
  }));
  return [...asked, ...claims].map(({ index, expression, claimed }) => ({
    tool: 'calculate',
    arguments: { expression: expression.trim() },
    claimed,
    at: index,
  }));
}

function lookUps(answer: string, documents: ReadonlySet<string>): Placed[] {
  return [...answer.matchAll(lookUp)].map(({ index, 1: path = '', 2: first = '1', 3: last }) => {
    const lines = { startLine: Math.max(1, Number(first)), ...(last ? { endLine: Number(last) } : {}) };
    const name = path.trim();
    return documents.has(name)
      ? { tool: 'peek_context', arguments: { source: name, ...lines }, claimed: null, at: index }
      : { tool: 'read_file', arguments: { path: name, ...lines }, claimed: null, at: index };
  });
}

const programs = (answer: string): Placed[] =>
  [...answer.matchAll(code)]
    .filter(({ 2: after = '' }) => saysResult.test(after))
    .map(({ index, 1: program = '' }) => ({
      tool: 'run_code',
      arguments: { code: program },
      claimed: null,
      at: index,
    }));

/**
 * Returns the requests of an answer in order, each once: `[calculate: 17*23]`, `[check: src/a.ts:10-20]`, `17 × 23 =
 * 390`, and a block of JavaScript followed by its result.
 * @param most number of requests, at most.
 */
export function findRequests(answer: string, documents: readonly string[], most: number): readonly ToolRequest[] {
  const all = [...calculations(answer), ...lookUps(answer, new Set(documents)), ...programs(answer)];
  const ordered = all.sort((a, b) => a.at - b.at).map(({ at: _, ...request }) => request);
  const byKey = new Map(ordered.map((request) => [JSON.stringify(request), request]));
  return [...byKey.values()].slice(0, most);
}

/** Whether a result is new to the answer: an error, a requested value, or a different value. */
export function isNews({ claimed }: ToolRequest, result: string): boolean {
  if (claimed === null) return true;
  const decimals = claimed.split('.')[1]?.length ?? 0;
  const computed = Number(result.replace(/^≈\s*/, '').split(' ', 1)[0]!.replace(/,/g, ''));
  if (Number.isNaN(computed)) return false;
  return Math.abs(computed - Number(claimed)) > 0.5 * 10 ** -decimals + 1e-9 * Math.abs(computed);
}
