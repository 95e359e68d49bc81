import * as z from 'zod/mini';
import { beginning } from '../../base/text.ts';
import { nodesOf, placeOf, type Result } from '../../result.ts';
import { type Citation, type Claim, hasUnfoundValues, type TreeNode } from '../../state.ts';
import type { LocatedLines } from '../text/contexts.ts';
import { linesField } from '../text/documents.ts';

export const answerSchema = z.object({
  run_id: z.nullable(z.string()),
  status: z.enum(['answered', 'partial', 'failed', 'cancelled']),
  answer: z.nullable(z.string()).check(z.describe('With citation numbers such as [1]; null: no answer.')),
  confidence: z.nullable(z.number()).check(z.describe('0–100, computed from the evidence; null: unknown.')),
  citations: z.array(
    z.object({
      number: z.number(),
      source: z.string(),
      start_line: z.number(),
      end_line: z.number(),
      ...linesField,
      page: z.optional(z.number()),
      is_extracted: z
        .optional(z.boolean())
        .check(z.describe('The line numbers refer to the text extracted from the file, such as a web page.')),
      under: z.optional(z.array(z.string())).check(z.describe('Headings or definitions that the lines stand under.')),
      quote: z.nullable(z.string()),
    }),
  ),
  claims: z.array(
    z
      .object({
        text: z.string(),
        verdict: z.enum(['supported', 'partial', 'unsupported', 'contradicted', 'unchecked']),
        support: z.nullable(z.number()).check(z.describe('0–1; null: not checked.')),
        reason: z.nullable(z.string()).check(z.describe('What is wrong with the claim; null: nothing.')),
        citations: z.array(z.number()),
      })
      .check(z.describe('A sentence of the answer, checked against the text.')),
  ),
  contradictions: z.array(z.string()).check(z.describe('Passages that contradict each other.')),
  warnings: z.array(z.string()),
  provider: z.nullable(z.string()),
  model: z.nullable(z.string()),
  calls: z.number().check(z.describe('Requests to a model.')),
  cost_usd: z.nullable(z.number()),
  resumable: z.boolean(),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
});

export type AskedAnswer = z.infer<typeof answerSchema>;

const longestQuote = 600;

function toCitation(citation: Citation & LocatedLines) {
  const { number, source, startLine, endLine, lines, page, isExtracted, under, quote } = citation;
  const shown = quote !== null && quote.length > longestQuote ? `${beginning(quote, longestQuote)}…` : quote;
  return {
    ...{ number, source, start_line: startLine, end_line: endLine },
    ...(lines && { lines }),
    ...(page && { page }),
    ...(isExtracted && { is_extracted: isExtracted }),
    ...(under && { under: [...under] }),
    quote: shown,
  };
}

function toClaim({ text, verdict, support, reason, citations }: Claim) {
  return { text, verdict, support, reason, citations: [...citations] };
}

const faultsOf = (claims: AskedAnswer['claims']): string[] =>
  claims
    .filter((claim) => claim.verdict === 'unsupported' || claim.verdict === 'contradicted' || hasUnfoundValues(claim))
    .map(({ text, verdict, reason }) => `${verdict}: ${text}${reason === null ? '' : ` (${reason})`}`);

/** Converts a result to the form that clients receive. */
export function toAnswer(result: Result): AskedAnswer {
  const { runId, status, answer, confidence, citations, warnings, provider, model, usage, resumable, error } = result;
  const { claims, contradictions } = result;
  return {
    ...{ run_id: runId, status, answer, confidence },
    citations: citations.map(toCitation),
    claims: claims.map(toClaim),
    contradictions: contradictions.map(({ text }) => text),
    warnings: [...warnings],
    ...{ provider, model, calls: usage.calls, cost_usd: usage.cost, resumable },
    error: error && { code: error.code, message: error.message },
  };
}

const section = (heading: string, lines: readonly string[], mark: string): string[] =>
  lines.length === 0 ? [] : [[`${heading}:`, ...lines.map((line) => mark + line)].join('\n')];

/** Formats an answer as text, for clients that pass only text to their model. */
export function answerText(found: AskedAnswer): string {
  const { answer, citations, claims, contradictions, warnings, status, confidence, run_id: runId, error } = found;
  const faults = faultsOf(claims);
  const sources = citations.map((one) => {
    const { source, page, start_line: startLine, end_line: endLine } = one;
    const given = { ...(page !== undefined && { page }), ...(one.is_extracted && { isExtracted: true as const }) };
    const place = one.lines ? `${source}:${one.lines}` : placeOf({ source, startLine, endLine, ...given });
    return `[${one.number}] ${place}${one.quote === null ? '' : `: ${one.quote}`}`;
  });
  const state = `status: ${status}, confidence: ${confidence ?? 'unknown'}${confidence === null ? '' : '/100'}${runId === null ? '' : `, run: ${runId}`}`;
  return [
    answer ?? `No answer${error === null ? '' : `: ${error.message}`}`,
    ...section('Sources', sources, ''),
    ...section('Not supported by the text', faults, '- '),
    ...section('The text contradicts itself', contradictions, '- '),
    ...section('Warnings', warnings, '- '),
    ...(answer !== null && error !== null ? [`Ended early: ${error.message}`] : []),
    state,
  ].join('\n\n');
}

/** Returns the greatest depth that a run reached, and the first 100 nodes of its tree. */
export function recursionOf(tree: TreeNode | null, maxDepth: number) {
  const nodes = tree === null ? [] : nodesOf(tree);
  return {
    max_depth: maxDepth,
    depth_reached: Math.max(0, ...nodes.map(({ depth }) => depth)),
    call_trace: nodes.slice(0, 100).map(({ path, strategy }) => `${path}:${strategy}`),
  };
}
