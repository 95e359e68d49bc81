import { counted } from '../../base/counted.ts';
import type { RlmError } from '../../errors.ts';
import { largestWindow, type ModelDetails, type ModelInfo, type ModelSummary, type Settings } from '../../index.ts';
import { printable } from '../terminal.ts';
import { size } from './progress-lines.ts';
import { table } from './table.ts';

/** Formats the size of a model: 9.0 GB, 274 MB. */
export const modelSize = (bytes: number): string => (bytes < 1e9 ? size(bytes) : `${(bytes / 1e9).toFixed(1)} GB`);

/** Whether a name stands for this model. A name without a tag stands for the tag `latest`. */
export const isNamed = (name: string, model: string): boolean => name === model || name === `${model}:latest`;

const cannotChat = (capabilities: readonly string[]) => capabilities.length > 0 && !capabilities.includes('completion');

function cells({ name, sizeBytes, capabilities, windowTokens }: ModelSummary, configured: string): string[] {
  return [
    isNamed(name, configured) ? '*' : ' ',
    name,
    sizeBytes === null ? '' : modelSize(sizeBytes),
    windowTokens === null ? '' : counted(windowTokens, 'token'),
    [...capabilities, ...(cannotChat(capabilities) ? ['(cannot answer questions)'] : [])].join(', '),
  ];
}

/** Formats models, one per line. The configured model is marked. */
export const renderModels = (models: readonly ModelSummary[], configured: string): string =>
  printable(table(models.map((model) => cells(model, configured))));

/** A model, with the properties that a run would use, or the error that keeps it from answering. */
export interface ShownModel {
  readonly details: ModelDetails;
  readonly served: ModelInfo | RlmError;
}

/** Describes how a run would use a model, one line for each point. */
export function usesOf({ details, served }: ShownModel, settings: Settings): string[] {
  const embeds = details.capabilities.includes('embedding')
    ? [`can turn text into vectors: --embedding-model ${details.name}`]
    : [];
  if (served instanceof Error) return [`cannot answer questions: ${served.message}`, ...embeds];
  const { maxWindowTokens, structuredOutput, tools, spends, notices } = served;
  const window = largestWindow(served, settings);
  const bound = window < maxWindowTokens ? ' (context.maxWindowTokens)' : '';
  return [
    `requests a window as large as the text needs, at most ${counted(window, 'token')}${bound}`,
    structuredOutput
      ? 'constrains its replies with a JSON Schema'
      : 'requests labelled text, because its replies cannot be constrained by a schema',
    tools ? 'uses its native tool calls' : 'lets it write tool calls as text, because it has no native ones',
    ...(details.capabilities.includes('thinking') ? ['enables thinking for free-text replies only'] : []),
    ...(spends === 'money' ? ['counts the cost of its tokens, if the price is known'] : []),
    ...embeds,
    ...notices,
  ];
}

function parameterLines({ parameters }: ModelDetails): string[] {
  const entries = Object.entries(parameters);
  return entries.map(([name, values]) => `${name} ${values.map((value) => JSON.stringify(value)).join(', ')}`);
}

const indented = (lines: readonly string[]) => lines.join(`\n${' '.repeat(14)}`);

/** Formats the details of a model, and how a run would use it. */
export function renderModel(shown: ShownModel, settings: Settings): string {
  const { details } = shown;
  const { family, parameterSize, quantization, sizeBytes, windowTokens, capabilities, templateDigest } = details;
  const rows: readonly (readonly [string, string | null])[] = [
    ['Model', details.name],
    ['Size', sizeBytes === null ? null : modelSize(sizeBytes)],
    ['Weights', [family, parameterSize, quantization].filter((part) => part !== null).join(', ')],
    ['Window', windowTokens === null ? null : counted(windowTokens, 'token')],
    ['Can', capabilities.join(', ')],
    ['Parameters', indented(parameterLines(details))],
    ['Template', templateDigest === null ? null : `SHA-256 ${templateDigest}`],
    ['rlm', indented(usesOf(shown, settings))],
  ];
  const lines = rows.flatMap(([name, value]) => (value ? [`${`${name}:`.padEnd(14)}${value}\n`] : []));
  return printable(lines.join(''));
}
