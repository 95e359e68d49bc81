/** Types of the program's JSON output. output-schemas.ts generates the shipped JSON Schemas from them. */
import type { Result } from '../src/result.ts';
import type { RunEvent } from '../src/run/events.ts';

export type { DryRun } from '../src/api/dry-run.ts';
export type { QueryResult, TablesDescription } from '../src/query/query-result.ts';
export type { Result };

interface LastEvent {
  readonly seq: number;
  readonly at: string;
  readonly runId: string | null;
  readonly result: Result;
}

/** One line of `--format ndjson`. */
export type OutputEvent =
  | RunEvent
  | (LastEvent & {
      /** The last event unless the status is failed. The result may have no answer after a limit or Ctrl-C. */
      readonly type: 'run.completed';
    })
  | (LastEvent & {
      /** The last event when the status is failed. */
      readonly type: 'run.failed';
    });
