/** Faults of a simulated server, which replace replies. */

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

/** A streamed object of a reply: the fields of its message besides the role, and the fields besides the message. */
export interface Part {
  readonly message: object;
  readonly beside?: object;
}

const half = '{"answer":"half of';

export const faults = {
  /** Any status with a body: a text, or an object as JSON. */
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
  /** Sends nothing, not even headers. */
  stall: (): Fault => ({ [tag]: true, kind: 'stall' }),
  /** Sends the beginning, then nothing, and keeps the connection open. */
  stallMidStream: (text = half): Fault => ({ [tag]: true, kind: 'stallMidStream', text }),
  /** Sends the text in small pieces, one per `everyMs`. */
  drip: (text: string, everyMs: number): Fault => ({ [tag]: true, kind: 'drip', text, everyMs }),
  /** Closes the connection in the middle of a line. */
  cutMidLine: (text = half): Fault => ({ [tag]: true, kind: 'cutMidLine', text }),
  /** Sends 200 OK with an error as the only object. */
  errorWith200: (error: string): Fault => ({ [tag]: true, kind: 'errorWith200', error }),
  /** Sends an error after the beginning of the text. */
  errorMidStream: (error: string, text = half): Fault => ({ [tag]: true, kind: 'errorMidStream', error, text }),
  /** Ends properly, but without the object that says `done`. */
  noDone: (text = half): Fault => ({ [tag]: true, kind: 'noDone', text }),
  /** Sends a line that is not JSON between two good ones. */
  garbageLine: (text = half): Fault => ({ [tag]: true, kind: 'garbageLine', text }),
  /** Sends a web page with 200 OK. */
  html: (): Fault => ({ [tag]: true, kind: 'html' }),
  /** Sends the whole reply including `done`, and never ends the response. */
  endlessAfterDone: (text: string): Fault => ({ [tag]: true, kind: 'endlessAfterDone', text }),
  /** Stops the reply at num_predict. */
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
