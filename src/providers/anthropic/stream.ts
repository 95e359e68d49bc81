import type { CallTokens } from '../../state.ts';
import type { CallOptions, ModelReply, ModelRequest, ToolCall } from '../provider.ts';
import { withAnswer } from '../thinking.ts';
import { asObject, type Json, parseObject } from '../wire/json.ts';
import { brokenReply, promptTooLong, type ServerTarget } from '../wire/server-errors.ts';
import { fromEvent, unfinished } from './client.ts';
import { replyTool } from './request.ts';

interface Block {
  readonly kind: unknown;
  readonly id: unknown;
  readonly name: unknown;
  /** The arguments in the block's first event. They are used if no later event of the block has arguments. */
  readonly input: unknown;
  text: string;
}

const nothingYet = () => ({
  blocks: new Map<unknown, Block>(),
  usage: {} as Json,
  stop: {} as Json,
  characters: 0,
  thinking: 0,
});

type Draft = ReturnType<typeof nothingYet>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function begin({ blocks }: Draft, { index, content_block: given }: Json): void {
  const { type: kind, id, name, input, text } = asObject(given);
  blocks.set(index, { kind, id, name, input, text: textOf(text) });
}

function extend(draft: Draft, { index, delta }: Json): void {
  const { type, text, partial_json: json, thinking } = asObject(delta);
  const piece = textOf(type === 'input_json_delta' ? json : text);
  const block = draft.blocks.get(index);
  if (block !== undefined) block.text += piece;
  draft.thinking += textOf(thinking).length;
  draft.characters += piece.length + textOf(thinking).length;
}

function addUsage(draft: Draft, usage: unknown): void {
  const numbers = Object.entries(asObject(usage)).filter(([, value]) => typeof value === 'number');
  draft.usage = { ...draft.usage, ...Object.fromEntries(numbers) };
}

function take(draft: Draft, event: Json, target: ServerTarget): boolean {
  const { type } = event;
  if (type === 'error') throw fromEvent(event, target);
  if (type === 'message_start') addUsage(draft, asObject(event['message'])['usage']);
  if (type === 'content_block_start') begin(draft, event);
  if (type === 'content_block_delta') extend(draft, event);
  if (type === 'message_delta') draft.stop = asObject(event['delta']);
  if (type === 'message_delta') addUsage(draft, event['usage']);
  return type === 'message_stop';
}

function tokensOf({ usage }: Draft): CallTokens | null {
  const { input_tokens: input, output_tokens: output } = usage;
  if (typeof input !== 'number' || typeof output !== 'number') return null;
  const cacheRead = Number(usage['cache_read_input_tokens'] ?? 0);
  const cacheWritten = Number(usage['cache_creation_input_tokens'] ?? 0);
  return { input: input + cacheRead + cacheWritten, output, cacheRead, cacheWritten };
}

function refusal({ stop_details: details }: Json): string {
  const { category, explanation } = asObject(details);
  const why = [textOf(category), textOf(explanation)].filter(Boolean).join(': ');
  return `refused to answer${why && ` (${why})`}`;
}

function finishOf(stop: Json, target: ServerTarget): ModelReply['finish'] {
  const reason = stop['stop_reason'];
  if (reason === 'end_turn' || reason === 'stop_sequence' || reason === 'tool_use') return 'stop';
  if (reason === 'max_tokens') return 'length';
  if (reason === 'model_context_window_exceeded') throw promptTooLong(target, 'no room was left for the whole reply');
  if (reason === 'refusal') throw unfinished(target, target.redact(refusal(stop)));
  if (reason === 'pause_turn') throw unfinished(target, 'paused in the middle of its reply');
  throw brokenReply(target, `ended without a known reason (${textOf(reason) || 'none'})`);
}

function toCall({ id, name, input, text }: Block, index: number): ToolCall {
  const given = text === '' ? (input ?? {}) : (parseObject(text) ?? text);
  return { id: textOf(id) || `call_${index + 1}`, name: textOf(name), arguments: given };
}

const asText = ({ text, input }: Block): string => text || JSON.stringify(input ?? '');

const saidIn = ({ blocks }: Draft): string =>
  Array.from(blocks.values(), ({ kind, text }) => (kind === 'text' ? text : '')).join('');

function toReply(draft: Draft, request: ModelRequest, target: ServerTarget): ModelReply {
  const finish = finishOf(draft.stop, target);
  const hasTools = request.tools.length > 0;
  const blocks = [...draft.blocks.values()];
  const calls = blocks.filter(({ kind }) => kind === 'tool_use');
  // If no tools were offered, the only tool is the forced tool, whose arguments are the reply.
  const replied = hasTools ? [] : calls.filter(({ name }) => name === replyTool).map(asText);
  const reply: ModelReply = {
    text: replied.length > 0 ? replied.join('') : saidIn(draft),
    toolCalls: hasTools ? calls.map(toCall) : [],
    tokens: tokensOf(draft),
    finish,
  };
  // The stream may omit the text of thinking, but it contains the blocks of thinking.
  const hasThought = blocks.some(({ kind }) => kind === 'thinking' || kind === 'redacted_thinking');
  return withAnswer(reply, hasThought, target.model, request);
}

/** Reads a whole reply. Throws RlmError for an error, a refusal, or a reply that is incomplete or only thinking. */
export async function readReply(
  events: AsyncIterable<Json>,
  request: ModelRequest,
  target: ServerTarget,
  onProgress: CallOptions['onProgress'],
): Promise<ModelReply> {
  const draft = nothingYet();
  for await (const event of events) {
    const isLast = take(draft, event, target);
    if (isLast) return toReply(draft, request, target);
    onProgress?.(draft.characters, saidIn(draft), draft.thinking > 0 && draft.characters === draft.thinking);
  }
  throw brokenReply(target, 'ended before it was done');
}
