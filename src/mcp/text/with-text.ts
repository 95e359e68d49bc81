import { type Context, openContext } from '../../index.ts';
import type { Call } from '../tool.ts';
import { filesAt } from './documents.ts';

/** The text of a request: a loaded context, or files; by default all files under the roots. */
export interface GivenText {
  readonly context: string | undefined;
  readonly paths: readonly string[] | undefined;
}

/**
 * Calls with the text of a request, and closes what it opened.
 * @throws ToolFailure `context_not_found`, `path_not_allowed`; RlmError like `openContext`.
 */
export async function withText<T>(
  { context, paths }: GivenText,
  call: Call,
  use: (text: Context) => Promise<T>,
): Promise<T> {
  const { contexts, files, configuration } = call.world;
  if (context !== undefined) return use((await contexts.get(context)).context);
  const documents = await filesAt(paths ?? files?.roots ?? [], call);
  const opened = await openContext({ documents, configuration, signal: call.signal });
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}
