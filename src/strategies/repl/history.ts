/** Decides how much a prompt shows: of the passages read before, of each output, and of earlier turns. */

import { weigh } from '../../context/text-size.ts';
import { renderKnown, renderPassages } from '../../prompts/prompt.ts';
import { type ReplVariables, turnText } from '../../prompts/repl.ts';
import type { Run } from '../../run/run.ts';
import type { ExploreStep, Passage } from '../../state.ts';
import type { Question } from '../strategy.ts';

/** Room for turns, at least, in bytes of ordinary text; with less, nothing useful can be shown. */
const fewestBytes = 3_000;

/** Share of the room for passages that were read before. */
const begunShare = 1 / 3;

/** Share of the room for turns that one turn's output takes. */
const outputShare = 0.3;

/** Share of the room that turns take once they were shortened, so that they need not be again soon. */
const shortenedShare = 0.6;

/** Bytes by which this prompt's instructions are longer than those the window was chosen for. */
const promptBytes = 2_000;

/** What fits the prompts of a question. */
export interface ReplRoom {
  /** The passages that were read before, as far as they are shown. */
  readonly shown: readonly Passage[];
  /** The description of the records, as far as there is room for it. */
  readonly tables: string;
  /** Room for turns, in bytes of ordinary text. */
  readonly turns: number;
  /** Characters of a turn's output that are shown, at most, where they are ordinary text. */
  readonly output: number;
}

/** Returns what fits beside the described records, or null when there is too little room for turns. */
export function replRoomFor({ known, criteria, begun, path }: Question, described: string, run: Run): ReplRoom | null {
  const fixed = [run.text.description, renderKnown(known), ...criteria, begun?.answer ?? '', ...(begun?.missing ?? [])];
  const free = run.models.roomFor('repl', path) - promptBytes - fixed.reduce((sum, one) => sum + weigh(one), 0);
  const tables = free - weigh(described) < fewestBytes ? '' : described;
  const room = free - weigh(tables);
  if (room < fewestBytes) return null;
  let left = room * begunShare;
  const shown = run.passages.byId((begun?.shown ?? []).map(({ id }) => id)).filter((passage) => {
    left -= weigh(renderPassages([passage]));
    return left >= 0;
  });
  const turns = room - (shown.length === 0 ? 0 : weigh(renderPassages(shown)));
  return { shown, tables, turns, output: Math.floor(turns * outputShare) };
}

/** Which turns a prompt shortens: those up to `shortTo` in their output, those up to `lineTo` also in their code. */
type Shortened = Pick<ReplVariables, 'shortTo' | 'lineTo'>;

const sizeOf = (steps: readonly ExploreStep[], shortened: Shortened): number =>
  steps.reduce((sum, step) => sum + weigh(turnText(step, shortened)), 0);

/** Returns how the next prompt shows the turns; they are shortened, for some turns to come, where there is no room. */
export function shortenedTurns(steps: readonly ExploreStep[], room: number): Shortened & { readonly left: number } {
  let [shortTo, lineTo] = [0, 0];
  const taken = (count: number) => sizeOf(steps.slice(0, count), { shortTo, lineTo });
  for (let count = 1; count <= steps.length; count++) {
    if (taken(count) <= room) continue;
    while (shortTo < count - 1 && taken(count) > room * shortenedShare) shortTo++;
    if (taken(count) > room) while (lineTo < count - 1 && taken(count) > room * shortenedShare) lineTo++;
  }
  return { shortTo, lineTo, left: Math.max(0, room - taken(steps.length)) };
}
