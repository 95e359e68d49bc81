import type { Run } from '../run/run.ts';
import type { Passage } from '../state.ts';
import { type ContextParts, createContexts } from '../tools/contexts/named-contexts.ts';
import { type FileLines, filePassage } from '../tools/files/file-passage.ts';
import type { FileAccess } from '../tools/files/walls/file-access.ts';
import type { Bounds, ToolWorld } from '../tools/tool.ts';

/** What differs between the callers that offer tools to a model. */
interface ToolWorldParts extends Pick<ContextParts, 'chunkBytes' | 'retrieve'> {
  readonly files: FileAccess | null;
  /** Receives the passages of the text that a tool shows. */
  onShown(passages: readonly Passage[]): void;
}

/**
 * Creates what tools work on in a run: its text in named contexts, its files, and passages of both that can be cited.
 */
export function createToolWorld(run: Run, { files, chunkBytes, retrieve, onShown }: ToolWorldParts) {
  const { store } = run.text;
  const { signal } = run.budget;
  function show(indexes: readonly number[]): readonly Passage[] {
    const passages = run.passages.at(indexes);
    onShown(passages);
    return passages;
  }
  const contexts = createContexts({ store, chunkBytes, show, retrieve });
  return {
    show,
    /** @param onRead receives the passage of lines that were read from a file. */
    worldFor(bounds: Bounds, questions: ToolWorld['questions'], onRead: (passage: Passage) => void): ToolWorld {
      function cite(lines: FileLines): string {
        const passage = filePassage(lines);
        run.passages.give([passage]);
        onRead(passage);
        return passage.id;
      }
      return { bounds, store, contexts, files, questions, cite, signal };
    },
  };
}
