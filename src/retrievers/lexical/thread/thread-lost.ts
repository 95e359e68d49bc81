/** A thread cannot be started, or has ended. What it was sent is lost; the text is there still. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}
