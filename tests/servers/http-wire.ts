/**
 * The common parts of the simulated servers: they read bodies, send replies in pieces, and send faults in place of
 * replies.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fault, isFault } from './faults.ts';

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Sends a fault that replaces a whole reply (nothing for `stall`). Returns false for other faults. */
export function sendFault(response: ServerResponse, fault: Fault): boolean {
  if (fault.kind === 'status') response.writeHead(fault.status, fault.headers).end(fault.body);
  else if (fault.kind === 'html')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Hi</p>');
  else if (fault.kind === 'reset') response.socket?.resetAndDestroy();
  else return fault.kind === 'stall';
  return true;
}

/** Returns the text of a reply, or the text that a fault sends first. */
export function textOf(reply: string | object | Fault): string {
  if (typeof reply === 'string') return reply;
  if (!isFault(reply)) return JSON.stringify(reply);
  return 'text' in reply ? reply.text : '';
}

/** Cuts a text into pieces of this many characters, without splitting a character; `Infinity`: one piece. */
export function pieces(text: string, length: number): string[] {
  if (text.length <= length) return text === '' ? [] : [text];
  const characters = [...text];
  const count = Math.ceil(characters.length / length);
  return Array.from({ length: count }, (_, index) => characters.slice(index * length, (index + 1) * length).join(''));
}

/** Writes this many bytes at a time, which may split characters; `Infinity`: all at once. */
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
