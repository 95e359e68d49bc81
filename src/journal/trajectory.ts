/** The course of a run for later readers: its events, its prompts and replies, the lines around citations. */
import { join } from 'node:path';
import { readOwnText, stateBytes } from '../base/files/own-file.ts';
import { replaceFile } from '../base/files/replace-file.ts';
import type { EventListener, RunEvent } from '../run/events.ts';
import type { Exchange } from '../run/exchange.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { DocumentInfo } from '../state.ts';
import type { Excerpt } from './excerpts.ts';

const trajectoryVersion = 1;

/** The trajectory of a run. */
export interface Trajectory {
  readonly version: typeof trajectoryVersion;
  /** All events except those of progress. */
  readonly events: readonly RunEvent[];
  /** Every request with its reply, in the order in which they ended. */
  readonly exchanges: readonly Exchange[];
  /** The lines around each citation of the answer. */
  readonly excerpts: readonly Excerpt[];
  /** The first documents of its text. */
  readonly documents: readonly Pick<DocumentInfo, 'name' | 'bytes'>[];
  /**
   * Number of exchanges whose prompts are not kept, for lack of room or because a secret that is no longer known may be
   * in them.
   */
  readonly promptsLeftOut: number;
}

/** Collects the trajectory of a run while it goes on. */
export interface TrajectoryCollector {
  readonly onEvent: EventListener;
  onExchange(exchange: Exchange): void;
  /** The trajectory without secrets. */
  finish(excerpts: readonly Excerpt[], documents: readonly DocumentInfo[]): Trajectory;
}

/** Room for prompts, in UTF-16 units. */
const promptRoom = 16_000_000;

/** Number of documents whose names are kept. */
export const namedDocuments = 200;

const transient: readonly RunEvent['type'][] = ['call.progress', 'answer.progress', 'index.progress'];

const lengthOf = ({ messages }: Exchange): number =>
  messages?.reduce((total, { content }) => total + content.length, 0) ?? 0;

/**
 * Creates an empty collector.
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

/** Writes it to the folder of a run. Where that fails, only the run's report lacks it, and says so. */
export const keepTrajectory = (folder: string, trajectory: Trajectory): Promise<void> =>
  replaceFile(join(folder, trajectoryName), JSON.stringify(trajectory)).catch(() => {});

/** Reads the trajectory in the folder of a run; null where there is none, or it is damaged. */
export function readTrajectory(folder: string): Trajectory | null {
  try {
    const read = JSON.parse(readOwnText(join(folder, trajectoryName), stateBytes)) as Trajectory;
    return read.version === trajectoryVersion ? read : null;
  } catch {
    return null;
  }
}
