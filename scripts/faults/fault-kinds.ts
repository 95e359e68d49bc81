/** The faults of a server, and the outcome that each must have. */
import type { ServerResponse } from 'node:http';
import type { Wire } from './wires.ts';

/** The reply that a fault damages. */
interface Strike {
  readonly wire: Wire;
  readonly text: string;
  readonly random: () => number;
}

export interface FaultKind {
  readonly name: string;
  /** The error codes that describe the fault; `answered` if the fault does no harm. */
  readonly codes: readonly string[];
  /** Whether the same request is sent again. */
  readonly isTransient: boolean;
  /** Whether the server says when to try again. Then the request is repeated while time and calls are left. */
  readonly saysWhen?: boolean;
  /** The limit of requests if rlm changes its request: it asks again with fewer passages. */
  readonly mostRequests?: number;
  /** The call timeout, in s; null: longer than the check. */
  readonly callTimeout?: number;
  /** Replaces the reply; omitted if the fault is in the address. */
  readonly strike?: (response: ServerResponse, strike: Strike) => void | Promise<void>;
  /** The address in place of the server's. */
  readonly address?: (url: string) => string;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns the beginning of a good reply: at least one byte, without the frames that end it. */
function someBytes({ wire, text, random }: Strike): Buffer {
  const bytes = Buffer.from(wire.begin(text).join(''));
  return bytes.subarray(0, 1 + Math.floor(random() * (bytes.length - 1)));
}

const open = (response: ServerResponse, { wire }: Strike) =>
  response.writeHead(200, { 'content-type': wire.contentType });

const whole = ({ wire, text }: Strike): Buffer => Buffer.from([...wire.begin(text), ...wire.end].join(''));

function status(
  code: number,
  codes: readonly string[],
  more: Partial<FaultKind> = {},
  headers: () => Record<string, string> = () => ({}),
): FaultKind {
  return {
    name: `status ${code}`,
    codes,
    isTransient: false,
    ...more,
    strike: (response, { wire }) =>
      void response
        .writeHead(code, { 'content-type': 'application/json', ...headers() })
        .end(wire.errorBody(code, `no (${code})`)),
  };
}

const transient = { isTransient: true };
const atOnce = () => ({ 'retry-after': '0' });
const soon = () => ({ 'retry-after': new Date(Date.now() + 1_000).toUTCString() });

const dead = (): string => 'http://127.0.0.1:1';

export const faultKinds: readonly FaultKind[] = [
  { name: 'refused', codes: ['provider-unreachable'], isTransient: false, address: dead },
  {
    name: 'TLS failure',
    codes: ['provider-unreachable'],
    isTransient: false,
    address: (url) => url.replace('http:', 'https:'),
  },
  {
    name: 'reset',
    codes: ['provider-failed', 'provider-unreachable'],
    isTransient: true,
    strike: (response) => void response.socket?.resetAndDestroy(),
  },
  { name: 'stalled', codes: ['call-timeout'], isTransient: false, callTimeout: 2, strike: () => {} },
  {
    name: 'stalled in mid-stream',
    // The part that arrived is used if it is complete.
    codes: ['call-timeout', 'answered'],
    isTransient: false,
    callTimeout: 2,
    strike: (response, strike) => void open(response, strike).write(someBytes(strike)),
  },
  {
    name: 'slow drip',
    codes: ['answered'],
    isTransient: false,
    async strike(response, strike) {
      open(response, strike);
      const bytes = whole(strike);
      const size = Math.ceil(bytes.length / 12);
      for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
        response.write(bytes.subarray(at, at + size));
        await wait(15);
      }
      response.end();
    },
  },
  {
    name: 'cut in mid-line',
    // If the connection breaks off each time, the part that arrived is the answer, unless it cannot be used.
    codes: ['provider-failed', 'answered'],
    isTransient: true,
    strike(response, strike) {
      open(response, strike).write(someBytes(strike), () => response.socket?.destroy());
    },
  },
  {
    name: 'ended in mid-line',
    codes: ['provider-failed', 'answered'],
    isTransient: true,
    strike: (response, strike) => void open(response, strike).end(someBytes(strike)),
  },
  {
    name: 'half a character',
    codes: ['provider-failed', 'answered'],
    isTransient: true,
    strike(response, strike) {
      const bytes = whole(strike);
      const at = bytes.indexOf(Buffer.from('é'));
      open(response, strike).end(Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at + 2)]));
    },
  },
  {
    name: 'wrong content type',
    codes: ['provider-failed', 'answered'],
    isTransient: false,
    strike: (response, strike) => void response.writeHead(200, { 'content-type': 'text/html' }).end(whole(strike)),
  },
  {
    name: 'web page',
    codes: ['provider-failed', 'provider-unreachable'],
    isTransient: false,
    strike: (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in</p>'),
  },
  {
    name: '200 with an error',
    codes: ['provider-failed'],
    isTransient: false,
    strike: (response, { wire }) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(wire.errorBody(500, 'the runner has crashed')),
  },
  {
    name: 'error in mid-stream',
    codes: ['provider-failed'],
    isTransient: false,
    strike: (response, strike) =>
      void open(response, strike).end(
        [...strike.wire.begin(strike.text).slice(0, 3), strike.wire.errorFrame('out of memory')].join(''),
      ),
  },
  {
    name: 'no end',
    // All of the text arrives each time, so it is the answer.
    codes: ['answered'],
    isTransient: true,
    strike: (response, strike) => void open(response, strike).end(strike.wire.begin(strike.text).join('')),
  },
  {
    name: 'empty',
    codes: ['provider-failed'],
    isTransient: true,
    strike: (response, strike) => void open(response, strike).end(),
  },
  {
    name: 'huge line',
    codes: ['provider-failed', 'reply-unusable', 'answered'],
    isTransient: true,
    strike: (response, strike) => void open(response, strike).end(`${'x'.repeat(1_000_000)}\n`),
  },
  {
    name: 'redirect to another host',
    codes: ['provider-unreachable', 'provider-failed'],
    isTransient: false,
    strike: (response) => void response.writeHead(307, { location: 'http://localhost:1/elsewhere' }).end(),
  },
  status(400, ['request-refused']),
  status(401, ['credentials-refused']),
  status(403, ['credentials-refused']),
  status(404, ['model-missing']),
  status(408, ['provider-failed'], transient, atOnce),
  status(409, ['provider-failed'], transient, atOnce),
  status(413, ['prompt-too-long'], { mostRequests: 5 }),
  status(429, ['rate-limited'], transient, atOnce),
  status(429, ['rate-limited'], { ...transient, saysWhen: true, name: 'status 429 with a date' }, soon),
  status(500, ['provider-failed'], transient, atOnce),
  status(503, ['provider-failed'], transient, atOnce),
];
