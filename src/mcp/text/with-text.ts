import { openContext } from '../../api/open-context.ts';
import type { Call } from '../tool.ts';
import { filesAt } from './documents.ts';
import { locateSame } from './locate.ts';
import type { NamedContext } from './named-context.ts';

/** The text of a request: a loaded context, or files; by default all files under the roots. */
export interface GivenText {
  readonly context: string | undefined;
  readonly paths: readonly string[] | undefined;
}

/** An open text, and where its lines stand in the original documents. */
export type LocatedText = Pick<NamedContext, 'context' | 'locate'>;

/**
 * Calls with the text of a request, and closes what it opened.
 * @throws ToolFailure `context_not_found`, `path_not_allowed`; RlmError like `openContext`.
 */
export async function withDocumentText<T>(
  { context, paths }: GivenText,
  call: Call,
  use: (text: LocatedText) => Promise<T>,
): Promise<T> {
  const { contexts, files, configuration } = call.world;
  if (context !== undefined) return use(await contexts.get(context));
  const documents = await filesAt(paths ?? files?.roots ?? [], call);
  const opened = await openContext({ documents, configuration, signal: call.signal });
  try {
    return await use({ context: opened, locate: locateSame });
  } finally {
    await opened.close();
  }
}
