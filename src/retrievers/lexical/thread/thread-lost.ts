/** Thrown when a thread cannot be started, or has ended. What it was sent is lost; the text is not. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}
