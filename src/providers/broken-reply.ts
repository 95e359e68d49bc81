import { RlmError } from '../errors.ts';

/** The `cause` of an error if the server got the whole request, and its reply broke off or was not understood. */
export class BrokenReply {
  readonly thrown: unknown;
  constructor(thrown: unknown) {
    this.thrown = thrown;
  }
}

/** Whether the model may have worked on a request that failed. */
export const isBrokenReply = (error: unknown): boolean =>
  error instanceof RlmError && error.cause instanceof BrokenReply;
