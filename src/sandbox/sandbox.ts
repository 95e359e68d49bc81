import { weigh } from '../context/text-size.ts';
import { mostOutlinedBytes, outlineOf } from '../tools/texts/section.ts';
import type { HostCall, TurnEnd } from './from-worker.ts';
import type { GuestTextSource, SandboxLimits, ToWorker } from './messages.ts';
import { type Ended, startWorker, untilEnded } from './worker-thread.ts';

const longestMessage = 2_000;

const leavesNoRoom = (thrown: string): boolean => /^(?:InternalError: )?(?:out of memory|endless jobs)/.test(thrown);

function explained(error: string, { turnMs, memoryMb }: SandboxLimits): string {
  if (/^InternalError: interrupted/.test(error))
    return `the code was stopped after ${turnMs / 1000} s. Variables that it had set by then are kept. Do less at once.`;
  if (/^(?:InternalError: )?out of memory/.test(error))
    return `out of memory: all values together may take ${memoryMb} MB. Keep parts of the text, not copies of all of it.`;
  if (/^InternalError: endless jobs/.test(error)) return 'the code was stopped: its promises go on without an end.';
  return /^(?:InternalError|RangeError): (?:stack overflow|Maximum call stack)/.test(error)
    ? 'stack overflow: a function calls itself without an end.'
    : error;
}

function showError(thrown: string, code: string, limits: SandboxLimits): string {
  const stackAt = thrown.search(/\n\s+at /);
  const message = (stackAt < 0 ? thrown : thrown.slice(0, stackAt)).trim().slice(0, longestMessage);
  // The innermost line that belongs to the code.
  const [, line] = /turn-\d+\.js:(\d+)/.exec(stackAt < 0 ? '' : thrown.slice(stackAt)) ?? [];
  const source = (code.split('\n')[Number(line) - 1] ?? '').trim().slice(0, 200);
  return `${explained(message, limits)}${line === undefined ? '' : `\n  in line ${line}: ${source}`}`;
}

/** A call by the code. Its arguments are not trusted. */
export interface CodeCall extends HostCall {
  readonly turn: number;
}

/** The result of a turn. The middle of a long output is left out. */
export interface TurnResult extends Omit<TurnEnd, 'kind'> {
  /** Whether the variables of all turns are lost. */
  readonly isLost: boolean;
}

export type Sandbox = ReturnType<typeof createSandbox>;

interface SandboxOptions {
  readonly source: GuestTextSource;
  readonly limits: SandboxLimits;
  /** Answers a call by the code. A rejection becomes an error in the code, with the same message. */
  readonly answer: (call: CodeCall) => Promise<string>;
  /** The seed of the code's clock and random numbers, 0 or more. */
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** Bytes of code after which the search for definitions ends. */
const mostParsed = 16_000_000;
const mostFound = 10;

type Definition = readonly [document: number, startLine: number, endLine: number];

const isNamed = (symbol: string, name: string): boolean =>
  symbol === name || symbol.endsWith(` ${name}`) || symbol.endsWith(`.${name}`);

async function definitionsOf(
  source: GuestTextSource,
  name: string,
  [first, last]: readonly [number, number],
): Promise<readonly Definition[]> {
  const found: Definition[] = [];
  let left = mostParsed;
  for (const [document, { name: path, bytes }] of source.documents.entries()) {
    if (document < first || document > last || found.length >= mostFound || left < 0) continue;
    const code = Buffer.from(source.read(document, 0, Math.min(bytes, mostOutlinedBytes)));
    if (!code.includes(name)) continue;
    left -= code.length;
    const { symbols, linesOf } = await outlineOf(path, code, true);
    for (const symbol of symbols.filter((one) => isNamed(one.name, name))) {
      const { startLine, endLine } = linesOf(symbol);
      found.push([document, startLine, endLine]);
    }
  }
  return found;
}

const startMs = 20_000;

function cut(output: string, printed: number, { outputCharacters }: SandboxLimits, turn: number): string {
  const most = Math.floor(outputCharacters / Math.max(1, weigh(output) / Math.max(1, output.length)));
  const lost = printed - output.length;
  const note =
    lost > 0 ? `\n[… the other ${lost} characters that were printed after this are not kept: print less …]` : '';
  if (output.length <= most) return output + note;
  const half = Math.floor(most / 2);
  const [end, start] = [output.lastIndexOf('\n', half), output.indexOf('\n', output.length - half - 1)];
  const from = end > half / 2 ? end : half;
  const to = start >= 0 && output.length - start > half / 2 ? start + 1 : output.length - half;
  return `${output.slice(0, from)}\n[… ${to - from} of ${printed} characters are left out here: print(printed(${turn}).slice(${from}, ${to})) …]\n${output.slice(to)}${note}`;
}

const variablesLost = 'All variables are lost: set what you need again, and do less at once.';

/** Creates a sandbox, which runs a model's code turn by turn in a thread. */
export function createSandbox({ source, limits, answer, seed, signal }: SandboxOptions) {
  let running: ReturnType<typeof start> | null = null;
  let turn = 0;

  function start() {
    const thread = startWorker(source, limits.memoryMb, seed);
    const isReady = new Promise<void>((resolve) => {
      thread.onMessage = ({ kind }) => kind === 'ready' && resolve();
      thread.onLost = () => resolve();
    });
    return { thread, isReady };
  }

  function drop(): void {
    running?.thread.end();
    running = null;
  }

  async function answerCall(call: HostCall): Promise<string> {
    if (call.name !== 'symbol') return answer({ ...call, turn });
    const [name = '', documents = '[0,-1]'] = call.args;
    return JSON.stringify(await definitionsOf(source, name, JSON.parse(documents)));
  }

  async function inThread(first: ToWorker): Promise<Ended> {
    signal.throwIfAborted();
    running ??= start();
    const { thread, isReady } = running;
    const late = new Promise<void>((resolve) => setTimeout(resolve, startMs).unref());
    thread.hold(true);
    try {
      await Promise.race([isReady, late]);
      const ended = await untilEnded(thread, first, { answer: answerCall, limits, signal });
      if (ended.kind === 'lost') drop();
      return ended;
    } catch (error) {
      drop();
      throw error;
    } finally {
      thread.hold(false);
    }
  }

  return {
    /**
     * Runs code. Its global variables persist. Resolves at most 500 ms after the time limit. The limit excludes the
     * time of calls and of starting the thread. Rejects with the signal's reason.
     */
    async run(code: string): Promise<TurnResult> {
      turn += 1;
      const ended = await inThread({ kind: 'turn', turn, code, limits });
      if (ended.kind !== 'done') {
        const why = ended.kind === 'lost' ? ended.why : 'it sent an invalid message';
        drop();
        const error = `the code was stopped: ${why}. ${variablesLost}`;
        return { output: '', printed: 0, error, final: null, problems: '', variables: '', isLost: true };
      }
      const { kind: _, error: thrown, ...fields } = ended;
      const output = cut(ended.output, ended.printed, limits, turn);
      const error = thrown === null ? null : showError(thrown, code, limits);
      // Drops the thread, because its full memory or endless jobs would remain.
      if (thrown === null || !leavesNoRoom(thrown)) return { ...fields, output, error, isLost: false };
      drop();
      return { ...fields, output, error: `${error}\n${variablesLost}`, variables: '', isLost: true };
    },
    /** Returns a global variable as text; null if there is none with this name. Rejects with the signal's reason. */
    async variable(name: string): Promise<string | null> {
      if (running === null) return null;
      const ended = await inThread({ kind: 'variable', name, limits: { ...limits, calls: 0 } });
      return ended.kind === 'value' ? ended.text : null;
    },
    close: drop,
  };
}
