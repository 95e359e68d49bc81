import { counted } from '../../base/counted.ts';
import type { RlmError } from '../../errors.ts';
import type { ModelDetails, ModelInfo, ModelSummary, Settings } from '../../index.ts';
import { printable } from '../terminal.ts';
import { size } from './progress-lines.ts';
import { table } from './table.ts';

/** The size of a model as people say it: 9.0 GB, 274 MB. */
export const modelSize = (bytes: number): string => (bytes < 1e9 ? size(bytes) : `${(bytes / 1e9).toFixed(1)} GB`);

/** Whether a name means this model: a name without a tag is the one that is tagged `latest`. */
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

/** All models, one a line, the configured one marked. */
export const renderModels = (models: readonly ModelSummary[], configured: string): string =>
  printable(table(models.map((model) => cells(model, configured))));

/** A model, and how it would serve a run: what it says of itself, or why it does not serve. */
export interface ShownModel {
  readonly details: ModelDetails;
  readonly served: ModelInfo | RlmError;
}

/** What a run would do with a model, a line each. */
export function usesOf({ details, served }: ShownModel, { context }: Settings): string[] {
  const embeds = details.capabilities.includes('embedding')
    ? [`can turn text into vectors: --embedding-model ${details.name}`]
    : [];
  if (served instanceof Error) return [`answers no questions: ${served.message}`, ...embeds];
  const { maxWindowTokens, structuredOutput, tools, spends, notices } = served;
  const window = Math.min(maxWindowTokens, context.maxWindowTokens);
  const bound = window < maxWindowTokens ? ' (context.maxWindowTokens)' : '';
  return [
    `asks for a window of as much as the text needs, at most ${counted(window, 'token')}${bound}`,
    structuredOutput
      ? 'holds its replies to a JSON Schema'
      : 'asks for labelled text, since no schema can hold its replies',
    tools ? 'lets it call tools' : 'has it write down which tools to call, since it cannot call them',
    ...(details.capabilities.includes('thinking')
      ? ['has it think where a reply is free text, apart from the answer, and not where a reply has a form']
      : []),
    ...(spends === 'money' ? ['counts its tokens as money, where the price is known'] : []),
    ...embeds,
    ...notices,
  ];
}

function parameterLines({ parameters }: ModelDetails): string[] {
  const entries = Object.entries(parameters);
  return entries.map(([name, values]) => `${name} ${values.map((value) => JSON.stringify(value)).join(', ')}`);
}

const indented = (lines: readonly string[]) => lines.join(`\n${' '.repeat(14)}`);

/** One model in full, with what a run would do with it. */
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
