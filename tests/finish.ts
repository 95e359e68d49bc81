/** Runs for each test file; see `afterEvery`. */
import { afterAll, afterEach } from 'vitest';
import { finish } from './support/afterwards.ts';

afterEach(() => finish('test'));
afterAll(() => finish('file'));
