/**
 * How a run went, for people who read it afterwards: its events, its prompts and replies, the lines around citations.
 */
import { join } from 'node:path';
import { readOwnText, stateBytes } from '../base/files/own-file.ts';
import { replaceFile } from '../base/files/replace-file.ts';
import type { EventListener, RunEvent } from '../run/events.ts';
import type { Exchange } from '../run/exchange.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { DocumentInfo } from '../state.ts';
import type { Excerpt } from './excerpts.ts';

const trajectoryVersion = 1;

/** What a run did. */
export interface Trajectory {
  readonly version: typeof trajectoryVersion;
  /** All but what only tells how far something is. */
  readonly events: readonly RunEvent[];
  /** Every request with its reply, in the order in which they ended. */
  readonly exchanges: readonly Exchange[];
  /** The lines around each citation of the answer. */
  readonly excerpts: readonly Excerpt[];
  /** The first documents that it was about. */
  readonly documents: readonly Pick<DocumentInfo, 'name' | 'bytes'>[];
  /** Exchanges whose prompts are not kept: there is no room, or a secret that is not known any more may be in them. */
  readonly promptsLeftOut: number;
}

/** Collects the trajectory of a run as it goes. */
export interface TrajectoryCollector {
  readonly onEvent: EventListener;
  onExchange(exchange: Exchange): void;
  /** The trajectory without secrets. */
  finish(excerpts: readonly Excerpt[], documents: readonly DocumentInfo[]): Trajectory;
}

/** What prompts may take, in UTF-16 units. */
const promptRoom = 16_000_000;

/** Documents whose names are kept. */
export const namedDocuments = 200;

const transient: readonly RunEvent['type'][] = ['call.progress', 'answer.progress', 'index.progress'];

const lengthOf = ({ messages }: Exchange): number =>
  messages?.reduce((total, { content }) => total + content.length, 0) ?? 0;

/**
 * A collector that holds nothing yet.
 * @param keepsText whether text of documents may be kept, in prompts and around citations.
 */
export function createTrajectoryCollector(redactor: Redactor, keepsText: boolean): TrajectoryCollector {
  const events: RunEvent[] = [];
  const exchanges: Exchange[] = [];
  let room = keepsText ? promptRoom : 0;
  let promptsLeftOut = 0;
  return {
    onEvent(event) {
      if (!transient.includes(event.type)) events.push(event);
    },
    onExchange(exchange) {
      const length = lengthOf(exchange);
      const fits = exchange.messages === null || length <= room;
      if (fits) room -= length;
      else promptsLeftOut += 1;
      exchanges.push(fits ? exchange : { ...exchange, messages: null });
    },
    finish(around, documents) {
      const excerpts = keepsText ? around : [];
      const first = documents.slice(0, namedDocuments).map(({ name, bytes }) => ({ name, bytes }));
      return redactor.value({
        version: trajectoryVersion,
        events,
        exchanges,
        excerpts,
        documents: first,
        promptsLeftOut,
      });
    },
  };
}

const trajectoryName = 'trajectory.json';

/** Keeps it in the folder of a run. What cannot be kept is missed in its report alone, which says so. */
export const keepTrajectory = (folder: string, trajectory: Trajectory): Promise<void> =>
  replaceFile(join(folder, trajectoryName), JSON.stringify(trajectory)).catch(() => {});

/** The trajectory in the folder of a run; null where none is kept, or it is damaged. */
export function readTrajectory(folder: string): Trajectory | null {
  try {
    const read = JSON.parse(readOwnText(join(folder, trajectoryName), stateBytes)) as Trajectory;
    return read.version === trajectoryVersion ? read : null;
  } catch {
    return null;
  }
}
