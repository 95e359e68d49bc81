/**
 * Finds and loads `node-llama-cpp`, which is no part of this program: whoever wants it installs it. Only what is used of
 * its interface is declared here.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { packageRoot } from '../config/package-root.ts';
import { RlmError } from '../errors.ts';
import { untilAborted } from './abort.ts';
import { clean } from './http-errors.ts';

export type Token = number;

export type HistoryItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] };

export interface LlamaSequence {
  readonly nextTokenIndex: number;
  readonly tokenMeter: { readonly usedOutputTokens: number };
  adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>;
}

export interface LlamaContext {
  readonly contextSize: number;
  readonly batchSize: number;
  getSequence(): LlamaSequence;
  dispose(): Promise<void>;
}

export interface LlamaEmbeddingContext {
  calculateInputLength(text: string): number;
  getEmbeddingFor(text: string): Promise<{ readonly vector: readonly number[] }>;
}

export interface LlamaModel {
  readonly tokenizer: unknown;
  dispose(): Promise<void>;
  createContext(options: {
    readonly contextSize: number;
    readonly batchSize: number;
    readonly threads: number;
  }): Promise<LlamaContext>;
  createEmbeddingContext(options: {
    readonly contextSize: number;
    readonly batchSize: number;
    readonly threads: number;
  }): Promise<LlamaEmbeddingContext>;
}

export interface LlamaGrammar {
  readonly grammar: string;
}

export interface Llama {
  readonly gpu: string | false;
  /** Cores that are useful for arithmetic. */
  readonly cpuMathCores: number;
  maxThreads: number;
  loadModel(options: { readonly modelPath: string; readonly loadSignal: AbortSignal }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: object): Promise<LlamaGrammar>;
}

interface GenerateOptions {
  readonly signal: AbortSignal;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly seed: number;
  readonly grammar?: LlamaGrammar;
  readonly repeatPenalty: false;
  readonly budgets?: { readonly thoughtTokens: number };
  readonly onResponseChunk: (chunk: { readonly text: string }) => void;
}

export interface LlamaChat {
  readonly chatWrapper: {
    generateContextState(options: { readonly chatHistory: readonly HistoryItem[] }): {
      readonly contextText: { tokenize(tokenizer: unknown): Token[] };
    };
  };
  generateResponse(
    history: readonly HistoryItem[],
    options: GenerateOptions,
  ): Promise<{ readonly response: string; readonly metadata: { readonly stopReason: string } }>;
}

/** The package's exports. */
export interface LlamaModule {
  getLlama(options: {
    readonly gpu: 'auto' | false;
    readonly build: 'never';
    readonly skipDownload: true;
    readonly logLevel: 'error';
    readonly logger: (level: string, message: string) => void;
  }): Promise<Llama>;
  readonly LlamaChat: new (options: { readonly contextSequence: LlamaSequence }) => LlamaChat;
}

/** Where the package is. */
export interface FoundPackage {
  readonly folder: string;
  readonly version: string;
}

const packageName = 'node-llama-cpp';
const testedVersion = '3.22.1';

/** The parts for processors without a graphics card, by platform; Apple's have one always. */
const binaries: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

/** Installs it without the parts for graphics cards, which are ten times as large. */
export function installCommand(platform = `${process.platform}-${process.arch}`): string {
  const binary = binaries[platform];
  const parts = binary === undefined ? '' : ` @${packageName}/${binary}@${testedVersion}`;
  return `npm i -g --omit=optional --ignore-scripts ${packageName}@${testedVersion}${parts}`;
}

const unusable = (message: string, hint: string, cause?: unknown): RlmError =>
  new RlmError('provider-unreachable', message, { hint, cause });

const notInstalled = (where: string): RlmError =>
  unusable(
    `${packageName}, which runs GGUF files, is not installed${where}`,
    `Install it (85 MB): ${installCommand()}`,
  );

const broken = ({ folder, version }: FoundPackage, why: string, cause: unknown): RlmError =>
  unusable(
    `${packageName} ${version} in ${folder} does not work: ${clean(why)}`,
    `Install it again: ${installCommand()}`,
    cause,
  );

/** The package in one of the `node_modules` from a folder upwards, as Node looks for it, or null. */
function findAbove(folder: string): string | null {
  const place = join(folder, 'node_modules', packageName);
  if (existsSync(place)) return place;
  const parent = dirname(folder);
  return parent === folder ? null : findAbove(parent);
}

/** The package in npm's folder for programs, or null. */
async function findGlobal(signal: AbortSignal): Promise<string | null> {
  const asked = promisify(execFile)('npm', ['root', '--global'], {
    timeout: 10_000,
    shell: process.platform === 'win32',
    signal,
  });
  const root = await asked.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  const place = join(root, packageName);
  return root !== '' && existsSync(place) ? place : null;
}

function describe(folder: string): FoundPackage {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: unknown };
    return { folder, version: String(version) };
  } catch (error) {
    throw broken({ folder, version: '' }, (error as Error).message, error);
  }
}

function checkVersion(found: FoundPackage): FoundPackage {
  if (/^3\./.test(found.version)) return found;
  throw unusable(
    `${packageName} in ${found.folder} is version ${found.version}; version 3 is needed`,
    `Install it: ${installCommand()}`,
  );
}

/** Only the folder that the user names: it, or one with the package in its `node_modules`. */
function findNamed(folder: string): string {
  const found = basename(folder) === packageName && existsSync(folder) ? folder : findAbove(folder);
  if (found === null) throw notInstalled(` in ${folder} (llamaCpp.folder)`);
  return found;
}

/**
 * Finds the package: in the folder that the user names, else beside this program, in npm's global folder, and from the
 * working folder upwards; that one comes last, since its code came with somebody else's files perhaps.
 * @throws RlmError `provider-unreachable` when it is not installed, or is another version.
 */
export async function findPackage(folder: string | null, cwd: string, signal: AbortSignal): Promise<FoundPackage> {
  signal.throwIfAborted();
  const place =
    folder === null
      ? (findAbove(packageRoot) ?? (await untilAborted(findGlobal(signal), signal)) ?? findAbove(cwd))
      : findNamed(resolve(cwd, folder));
  if (place === null) throw notInstalled('');
  return checkVersion(describe(place));
}

/** Loads the package. Its path is made here, so that no bundler looks for it. */
async function loadPackage(found: FoundPackage): Promise<LlamaModule> {
  try {
    return await import(pathToFileURL(join(found.folder, 'dist', 'index.js')).href);
  } catch (error) {
    throw broken(found, (error as Error).message, error);
  }
}

/** The native part of this process: it has one place for what it says, and a second one would take that away. */
interface Native {
  readonly module: LlamaModule;
  readonly llama: Llama;
  /** What it complained of since it was last asked, to say with an error. */
  complaint(): string;
}

const started = new Map<string, Promise<Native>>();

/** What the native part says goes into a variable: it would write to the terminal itself. */
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
