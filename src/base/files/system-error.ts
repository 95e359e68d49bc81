/** The system's error code (`ENOENT`, `EACCES` …), or an empty string when the error is none of the system's. */
export function errnoOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** What the system said, without the call and the path: `EACCES: permission denied`. */
export function systemDetail(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split(', ')[0] ?? message;
}
