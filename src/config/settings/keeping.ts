import * as z from 'zod/mini';
import { onOff, orNull, setting, text, whole } from './kinds.ts';

/** The records of a run, and their folders. */
export const keeping = {
  journal: setting(onOff, 'keep a journal of each run, so that rlm resume can continue it', {
    env: ['RLM_JOURNAL'],
    flag: '--no-journal',
    flagAbout: 'keep no journal of the run; it cannot be resumed then',
    mayChange: true,
  }),
  stateFolder: setting(orNull(text), 'where runs are kept; null: rlm in XDG_STATE_HOME, else ~/.local/state/rlm', {
    env: ['RLM_HOME'],
    from: 'user',
    mayChange: true,
  }),
  cache: {
    enabled: setting(onOff, 'keep replies on disk, and answer identical requests from there', {
      env: ['RLM_CACHE_ENABLED'],
      flag: '--cache',
      mayChange: true,
    }),
    maxBytes: setting(
      whole(1_000, 100_000_000_000),
      'largest size of the kept replies, in bytes; the oldest are removed first',
      { mayChange: true },
    ),
  },
  audit: setting(
    () => z.union([z.boolean(), text()]),
    'write an audit file for each run: true (in telemetry/rlm), or the folder to write it to',
    {
      env: ['RLM_AUDIT_DIR'],
      flag: '--audit',
      flagAbout: 'write an audit file for the run to telemetry/rlm, or to the folder RLM_AUDIT_DIR',
      from: 'user',
      mayChange: true,
    },
  ),
};

/** The log of a run. */
export const log = {
  file: setting(orNull(text), 'file to append structured logs to; null: none', {
    env: ['RLM_LOG_FILE'],
    flag: '--log-file <file>',
    from: 'user',
    mayChange: true,
  }),
};
