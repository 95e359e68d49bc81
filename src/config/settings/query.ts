import { seconds, setting, whole } from './kinds.ts';

/** The limits of SQL over records. */
export const query = {
  maxMegabytes: setting(
    whole(1, 10_000),
    'largest text that the tables of one query are read from, in MB; more is an error',
    { env: ['RLM_QUERY_MAX_MEGABYTES'], mayChange: true },
  ),
  timeout: setting(seconds, 'how long one query may take, in seconds, with the time to fill its tables', {
    env: ['RLM_QUERY_TIMEOUT'],
    mayChange: true,
  }),
  memory: setting(whole(32, 2_048), 'memory for the tables of one query and what it computes, in MB', {
    env: ['RLM_QUERY_MEMORY'],
    mayChange: true,
  }),
  maxRows: setting(whole(1, 10_000_000), 'rows of a query that are shown; the others are counted', {
    env: ['RLM_QUERY_MAX_ROWS'],
    mayChange: true,
  }),
  maxCharacters: setting(
    whole(100, 100_000_000),
    'characters of the rows of a query that are shown; further rows are counted',
    { env: ['RLM_QUERY_MAX_CHARACTERS'], mayChange: true },
  ),
};
