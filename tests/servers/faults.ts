/** Ways in which a simulated server can go wrong, as replies. */

const tag = Symbol('fault');

export type Fault = { readonly [tag]: true } & (
  | { kind: 'status'; status: number; headers: Record<string, string>; body: string }
  | { kind: 'reset' | 'stall' | 'html' }
  | {
      kind: 'stallMidStream' | 'cutMidLine' | 'noDone' | 'garbageLine' | 'lengthLimit' | 'endlessAfterDone';
      text: string;
    }
  | { kind: 'drip'; text: string; everyMs: number }
  | { kind: 'errorWith200'; error: string }
  | { kind: 'errorMidStream'; text: string; error: string }
  | { kind: 'thinking'; thinking: string; text: string }
  | { kind: 'parts'; parts: readonly Part[]; reason: 'stop' | 'length' }
);

/** One streamed object of a reply: what its message holds besides the role, and what stands beside the message. */
export interface Part {
  readonly message: object;
  readonly beside?: object;
}

const half = '{"answer":"half of';

export const faults = {
  /** Any status, with a body: a text as it is, an object as JSON. */
  status: (status: number, body: string | object = { error: 'no' }, headers: Record<string, string> = {}): Fault => ({
    [tag]: true,
    kind: 'status',
    status,
    headers: {
      'content-type': typeof body === 'string' ? 'text/plain' : 'application/json; charset=utf-8',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }),
  /** Resets the connection instead of answering. */
  reset: (): Fault => ({ [tag]: true, kind: 'reset' }),
  /** Never sends even its headers. */
  stall: (): Fault => ({ [tag]: true, kind: 'stall' }),
  /** Sends the beginning and then nothing more, and keeps the connection open. */
  stallMidStream: (text = half): Fault => ({ [tag]: true, kind: 'stallMidStream', text }),
  /** Sends the whole text in small pieces, one per this many ms. */
  drip: (text: string, everyMs: number): Fault => ({ [tag]: true, kind: 'drip', text, everyMs }),
  /** Closes the connection in the middle of a line. */
  cutMidLine: (text = half): Fault => ({ [tag]: true, kind: 'cutMidLine', text }),
  /** 200 OK, and an error as the only object. */
  errorWith200: (error: string): Fault => ({ [tag]: true, kind: 'errorWith200', error }),
  /** An error after the beginning of the text. */
  errorMidStream: (error: string, text = half): Fault => ({ [tag]: true, kind: 'errorMidStream', error, text }),
  /** Ends cleanly without the object that says `done`. */
  noDone: (text = half): Fault => ({ [tag]: true, kind: 'noDone', text }),
  /** A line that is not JSON between two good ones. */
  garbageLine: (text = half): Fault => ({ [tag]: true, kind: 'garbageLine', text }),
  /** A web page with 200 OK. */
  html: (): Fault => ({ [tag]: true, kind: 'html' }),
  /** Sends everything including `done`, and then never ends the response. */
  endlessAfterDone: (text: string): Fault => ({ [tag]: true, kind: 'endlessAfterDone', text }),
  /** Stopped by num_predict. */
  lengthLimit: (text = half): Fault => ({ [tag]: true, kind: 'lengthLimit', text }),
  /** Not a fault: thinking before the text. */
  thinking: (thinking: string, text: string): Fault => ({ [tag]: true, kind: 'thinking', thinking, text }),
  /** Not a fault: a reply part by part, such as one that calls tools. */
  parts: (parts: readonly Part[], reason: 'stop' | 'length' = 'stop'): Fault => ({
    [tag]: true,
    kind: 'parts',
    parts,
    reason,
  }),
};

export const isFault = (reply: unknown): reply is Fault => typeof reply === 'object' && reply !== null && tag in reply;
