/** Finds requests for tools in an answer, by their form and without a model. */

/** A tool call that an answer requests, or code whose result it states. */
export interface ToolRequest {
  readonly tool: 'read_file' | 'run_code';
  readonly arguments: Readonly<Record<string, unknown>>;
}

type Placed = ToolRequest & { readonly at: number };

const lookUp = /\[check:\s*([^\]\n]{1,300}?)(?::(\d{1,7})(?:-(\d{1,7}))?)?\s*\]/gi;

/** Matches a block of code, and the line after it. */
const code = /^```(?:js|javascript)[ \t]*\n([\s\S]{1,20000}?)\n```[ \t]*\n{0,2}([^\n]{0,200})/gm;
const saysResult = /\b(?:prints?|outputs?|returns?|gives|yields|results?)\b|→|=>/i;

function lookUps(answer: string): Placed[] {
  return [...answer.matchAll(lookUp)].map(({ index, 1: path = '', 2: first = '1', 3: last }) => {
    const lines = { startLine: Math.max(1, Number(first)), ...(last ? { endLine: Number(last) } : {}) };
    return { tool: 'read_file', arguments: { path: path.trim(), ...lines }, at: index };
  });
}

const programs = (answer: string): Placed[] =>
  [...answer.matchAll(code)]
    .filter(({ 2: after = '' }) => saysResult.test(after))
    .map(({ index, 1: program = '' }) => ({
      tool: 'run_code',
      arguments: { code: program },
      at: index,
    }));

/**
 * Returns the requests of an answer in order, each once: `[check: src/a.ts:10-20]`, and a block of JavaScript followed
 * by its result.
 * @param most number of requests, at most.
 */
export function findRequests(answer: string, most: number): readonly ToolRequest[] {
  const ordered = [...lookUps(answer), ...programs(answer)]
    .sort((a, b) => a.at - b.at)
    .map(({ at: _, ...request }) => request);
  const byKey = new Map(ordered.map((request) => [JSON.stringify(request), request]));
  return [...byKey.values()].slice(0, most);
}
