import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clean } from '../wire/http-errors.ts';
import type { Llama, LlamaModule } from './interface.ts';
import { broken, type FoundPackage } from './package.ts';

/** Loads the package. Its path is made here, so that no bundler looks for it. */
async function loadPackage(found: FoundPackage): Promise<LlamaModule> {
  try {
    return await import(pathToFileURL(join(found.folder, 'dist', 'index.js')).href);
  } catch (error) {
    throw broken(found, (error as Error).message, error);
  }
}

/** The native part in this process. It has one receiver for its log, and a second part would take that away. */
interface Native {
  readonly module: LlamaModule;
  readonly llama: Llama;
  /** Its warnings since the last call, for an error. */
  complaint(): string;
}

const started = new Map<string, Promise<Native>>();

/** Keeps the native part's log in a variable; by itself it writes to the terminal. */
async function start(found: FoundPackage, gpu: 'auto' | false): Promise<Native> {
  const module = await loadPackage(found);
  let last = '';
  const logger = (_level: string, message: string) => {
    last = clean(message);
  };
  const complaint = () => {
    const said = last;
    last = '';
    return said;
  };
  try {
    const llama = await module.getLlama({ gpu, build: 'never', skipDownload: true, logLevel: 'error', logger });
    return { module, llama, complaint };
  } catch (error) {
    throw broken(found, (error as Error).message, error);
  }
}

/**
 * Starts the package's native part, once for all of this process, which it ends with.
 * @throws RlmError `provider-unreachable` when the package is broken, saying how, or has no part for this machine.
 */
export function startNative(found: FoundPackage, gpu: 'auto' | false): Promise<Native> {
  const key = `${gpu} ${found.folder}`;
  const starting =
    started.get(key) ??
    start(found, gpu).catch((error: unknown) => {
      started.delete(key);
      throw error;
    });
  started.set(key, starting);
  return starting;
}
