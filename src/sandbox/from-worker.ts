/** The messages of a worker. They are not trusted: a schema checks each one. */
import * as z from 'zod/mini';
import { mostMissing, mostRanges } from './messages.ts';

const mostCharacters = 64 * 1024 * 1024;
const mostPrompts = 10_000;

const text = z.string().check(z.maxLength(mostCharacters));
const textOrNull = z.nullable(text);
const count = z.int().check(z.gte(0));

const textRange = z.strictObject({ document: count, startByte: count, endByte: count });

/** A range of a document's bytes, end exclusive. */
export type TextRange = Readonly<z.infer<typeof textRange>>;

const hostCall = z.strictObject({
  kind: z.literal('call'),
  /** The number of the call in its turn, from 1, in program order. */
  id: count,
  name: text,
  args: z.array(text).check(z.maxLength(mostPrompts)),
  /** Ranges of the text that the arguments may come from. */
  ranges: z.array(textRange).check(z.maxLength(mostRanges)),
});

export type HostCall = Readonly<z.infer<typeof hostCall>>;

const turnEnd = z.strictObject({
  kind: z.literal('done'),
  /** The kept part of the printed text. */
  output: text,
  /** The length of all printed text, in characters. `output` may be shorter. */
  printed: count,
  /** Null after success. */
  error: textOrNull,
  final: z.nullable(
    z.strictObject({
      answer: text,
      tells: z.nullable(z.enum(['all', 'part', 'nothing'])),
      missing: z.array(text).check(z.maxLength(mostMissing)),
    }),
  ),
  /** The problems, one per line. */
  problems: text,
  /** The variables, with types and sizes. */
  variables: text,
});

export type TurnEnd = Readonly<z.infer<typeof turnEnd>>;

const fromWorker = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('read'), range: textRange, slot: count }),
  hostCall,
  turnEnd,
  z.strictObject({ kind: z.literal('value'), text: textOrNull }),
]);

export type FromWorker = z.infer<typeof fromWorker>;

/** Returns a message from the worker; null for anything else. */
export const readMessage = (raw: unknown): FromWorker | null =>
  z.safeParse(fromWorker, raw).success ? (raw as FromWorker) : null;
