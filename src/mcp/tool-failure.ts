/** An error that the client can correct or should know about. Its code is part of the protocol with clients. */
export class ToolFailure extends Error {
  readonly code: string;
  /** @param code such as `context_not_found`. */
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
