/**
 * What the simulated servers have in common: bodies that come in, replies that go out in pieces, and what goes wrong
 * before one begins.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fault, isFault } from './faults.ts';

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Sends a fault that stands in place of a reply, and says whether it is one of those; of `stall` nothing is sent. */
export function sendFault(response: ServerResponse, fault: Fault): boolean {
  if (fault.kind === 'status') response.writeHead(fault.status, fault.headers).end(fault.body);
  else if (fault.kind === 'html')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Hi</p>');
  else if (fault.kind === 'reset') response.socket?.resetAndDestroy();
  else return fault.kind === 'stall';
  return true;
}

/** The text of a reply, or of a fault before it strikes. */
export function textOf(reply: string | object | Fault): string {
  if (typeof reply === 'string') return reply;
  if (!isFault(reply)) return JSON.stringify(reply);
  return 'text' in reply ? reply.text : '';
}

/** A text in pieces of this many characters, none of which is split; `Infinity` returns it whole. */
export function pieces(text: string, length: number): string[] {
  if (text.length <= length) return text === '' ? [] : [text];
  const characters = [...text];
  const count = Math.ceil(characters.length / length);
  return Array.from({ length: count }, (_, index) => characters.slice(index * length, (index + 1) * length).join(''));
}

/** Writes this many bytes at a time, which may split characters; `Infinity` writes all at once. */
export function writeInPieces(response: ServerResponse, given: string | Buffer, bytesPerWrite: number): void {
  const bytes = Buffer.from(given);
  const step = Math.min(bytesPerWrite, Math.max(1, bytes.length));
  for (let at = 0; at < bytes.length; at += step) response.write(bytes.subarray(at, at + step));
}

/** Writes one part per this many ms, until the client disconnects. */
export async function drip(response: ServerResponse, parts: readonly string[], everyMs: number): Promise<void> {
  for (const part of parts) {
    if (response.destroyed) return;
    response.write(part);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
