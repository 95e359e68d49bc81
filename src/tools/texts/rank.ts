import { createView } from '../../context/store/view.ts';
import { renderPassages } from '../../prompts/prompt.ts';
import type { Passage } from '../../state.ts';
import { cutText, showPage } from '../page.ts';
import type { FittingResult, ToolWorld } from '../tool.ts';
import type { GrepArguments } from './grep-arguments.ts';
import { chunksAt } from './texts.ts';

/** Passages that are ranked for one call, at most. */
const mostRanked = 40;

/** Finds passages until there are enough, or no more. */
async function findPassages(
  words: string,
  part: ReturnType<typeof createView> | null,
  least: number,
  world: ToolWorld,
) {
  const found: Passage[] = [];
  while (found.length < least) {
    const more = await world.find(words, part, new Set(found.map(({ id }) => id)));
    if (more.length === 0) break;
    found.push(...more);
  }
  return found;
}

const lineCharacters = 200;

/** Returns the line of a passage with most of the words, in one line. */
function bestLine({ id, source, startLine, text }: Passage, words: readonly string[]): string {
  const lines = text.split('\n');
  const held = lines.map((line) => words.filter((word) => line.toLowerCase().includes(word)).length);
  const at = held.indexOf(Math.max(...held));
  return `[${id}] ${source}:${startLine + at}: ${cutText(lines[at]!.trim(), lineCharacters)}`;
}

/** Share of the room for whole passages; those after them are shown by their best line. */
const wholeShare = 0.8;

/**
 * Finds the passages that suit some words best: the first ones are shown whole, others by their best line.
 * @returns null when the path names nothing that is ranked: files beside the text are searched line by line.
 */
export async function rankPassages(
  { words, path, skip = 0, limit = mostRanked }: GrepArguments & { readonly words: string },
  world: ToolWorld,
): Promise<FittingResult | null> {
  const { store } = world;
  const chunks = await chunksAt(path, store);
  if (chunks !== null ? chunks.length === 0 : store.chunkCount === 0 && world.files !== null) return null;
  const part = chunks === null || chunks.length === store.chunkCount ? null : createView(store, chunks);
  const found = await findPassages(words, part, Math.min(mostRanked, skip + 1), world);
  const passages = found.slice(skip, skip + Math.min(limit, mostRanked));
  const named = words.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return (bounds) => {
    if (passages.length === 0)
      return {
        text: skip > 0 ? 'No more passages suit the words.' : 'No passage suits the words: try a pattern.',
        passages: [],
      };
    let room = Math.floor(bounds.characters * wholeShare);
    const blocks = passages.map((passage, index) => {
      const whole = renderPassages([passage]);
      room -= whole.length;
      const isWhole = room >= 0 || (index === 0 && whole.length < bounds.characters);
      return { text: isWhole ? whole : bestLine(passage, named), passages: [passage] };
    });
    const end = (shown: number) => [`Others suit the words less; to see them: "skip": ${skip + shown}`];
    return showPage({ blocks, end }, bounds);
  };
}
