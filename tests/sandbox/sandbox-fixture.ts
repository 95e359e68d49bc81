import { onTestFinished } from 'vitest';
import { type CodeCall, createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';

interface Setup {
  readonly documents?: Readonly<Record<string, string | Buffer>>;
  readonly answer?: (call: CodeCall) => Promise<string>;
  readonly turnMs?: number;
  readonly memoryMb?: number;
  readonly outputCharacters?: number;
  readonly calls?: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
}

/** Creates a sandbox over these documents. */
export function startSandbox(setup: Setup = {}): Sandbox {
  const { documents = {}, turnMs = 5_000, memoryMb = 64, outputCharacters = 10_000, calls = 100 } = setup;
  const texts = Object.values(documents).map((text) => Buffer.from(text as string));
  const names = Object.keys(documents);
  return createSandbox({
    source: {
      documents: texts.map(({ length }, index) => ({ name: names[index]!, bytes: length })),
      read: (document, start, end) => texts[document]!.subarray(start, end),
    },
    limits: { turnMs, memoryMb, outputCharacters, calls },
    seed: setup.seed ?? 1,
    signal: setup.signal ?? new AbortController().signal,
    answer: setup.answer ?? (async ({ args }) => `about ${args[0]}`),
  });
}

/** Creates a sandbox that is closed after the test. */
export function openSandbox(setup: Setup = {}): Sandbox {
  const sandbox = startSandbox(setup);
  onTestFinished(sandbox.close);
  return sandbox;
}

/** Returns the output of code, or its error. */
export async function printed(sandbox: Sandbox, code: string): Promise<string> {
  const { output, error } = await sandbox.run(code);
  return error ?? output.trimEnd();
}
