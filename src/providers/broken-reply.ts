import { RlmError } from '../errors.ts';

/**
 * The `cause` of an error if the server may have worked on the request: its reply broke off or was not understood, or a
 * gateway stopped waiting for the reply.
 */
export class BrokenReply {
  readonly thrown: unknown;
  constructor(thrown: unknown) {
    this.thrown = thrown;
  }
}

/** Whether the model may have worked on a request that failed. */
export const isBrokenReply = (error: unknown): boolean =>
  error instanceof RlmError && error.cause instanceof BrokenReply;
