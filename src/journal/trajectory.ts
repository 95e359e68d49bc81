import { join } from 'node:path';
import { readOwnText, stateBytes } from '../base/files/own-file.ts';
import { replaceFile } from '../base/files/replace-file.ts';
import type { ContextStore } from '../context/document.ts';
import { type Peek, peek } from '../context/peek.ts';
import type { Exchange, RunEvent } from '../run/events.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { Citation, DocumentInfo, Passage } from '../state.ts';

const linesAround = 4;
const bytesAround = 400;
const bounds = { maxLines: 80, maxCharacters: 8_000 };

/** Returns the lines around a citation; if they are very long, the bytes around it. */
function look(store: ContextStore, citation: Citation): Peek {
  const { source: document, startLine, endLine, startByte, endByte } = citation;
  const lines = { document, startLine: Math.max(1, startLine - linesAround), endLine: endLine + linesAround };
  const shown = peek(store, lines, bounds);
  if (shown.endByte >= endByte) return shown;
  const bytes = { document, startByte: Math.max(0, startByte - bytesAround), endByte: endByte + bytesAround };
  return peek(store, bytes, bounds);
}

function excerptOf(citation: Citation, store: ContextStore, passage: Passage | undefined) {
  const { number, source } = citation;
  try {
    const { startLine, text } = look(store, citation);
    return { number, source, startLine, text };
  } catch {
    // For a search server's document, or a file outside the text, only the passage is available.
    return passage === undefined ? null : { number, source, startLine: passage.startLine, text: passage.text };
  }
}

/** Returns an excerpt for each citation, if one is available. */
export const excerptsOf = (
  citations: readonly Citation[],
  store: ContextStore,
  findPassage: (id: string) => Passage | undefined,
) => citations.flatMap((citation) => excerptOf(citation, store, findPassage(citation.passage)) ?? []);

export type CitedExcerpt = Readonly<ReturnType<typeof excerptsOf>[number]>;

const trajectoryVersion = 1 as const;

export type TrajectoryCollector = ReturnType<typeof createTrajectoryCollector>;

/** The record of a run for later display: its events, prompts and replies, and the lines around citations. */
export type Trajectory = Readonly<ReturnType<TrajectoryCollector['finish']>>;

/** Maximum length of the prompt text that is kept, in UTF-16 units. */
const promptRoom = 16_000_000;

/** Maximum number of documents whose names are kept. */
export const namedDocuments = 200;

const transient: readonly RunEvent['type'][] = ['call.progress', 'answer.progress', 'index.progress'];

const lengthOf = ({ messages }: Exchange): number =>
  messages?.reduce((total, { content }) => total + content.length, 0) ?? 0;

/** Creates an empty collector; `keepsText`: whether prompts and text around citations may be kept. */
export function createTrajectoryCollector(redactor: Redactor, keepsText: boolean) {
  const events: RunEvent[] = [];
  const exchanges: Exchange[] = [];
  const kept: { readonly events: readonly RunEvent[]; readonly exchanges: readonly Exchange[] } = { events, exchanges };
  let room = keepsText ? promptRoom : 0;
  let promptsLeftOut = 0;
  return {
    onEvent(event: RunEvent): void {
      if (!transient.includes(event.type)) events.push(event);
    },
    onExchange(exchange: Exchange): void {
      const length = lengthOf(exchange);
      const fits = exchange.messages === null || length <= room;
      if (fits) room -= length;
      else promptsLeftOut += 1;
      exchanges.push(fits ? exchange : { ...exchange, messages: null });
    },
    finish(around: readonly CitedExcerpt[], documents: readonly DocumentInfo[]) {
      const excerpts = keepsText ? around : [];
      const first = documents.slice(0, namedDocuments).map(({ name, bytes }) => ({ name, bytes }));
      return redactor.value({ version: trajectoryVersion, ...kept, excerpts, documents: first, promptsLeftOut });
    },
  };
}

const trajectoryName = 'trajectory.json';

/** Writes a trajectory to the folder of a run. Ignores failures; a report names what it lacks without one. */
export const keepTrajectory = (folder: string, trajectory: Trajectory): Promise<void> =>
  replaceFile(join(folder, trajectoryName), JSON.stringify(trajectory)).catch(() => {});

/** Reads the trajectory in the folder of a run; null if it is missing or damaged. */
export function readTrajectory(folder: string): Trajectory | null {
  try {
    const read = JSON.parse(readOwnText(join(folder, trajectoryName), stateBytes)) as Trajectory;
    return read.version === trajectoryVersion ? read : null;
  } catch {
    return null;
  }
}
