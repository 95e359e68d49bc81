/** A replacement for `node-llama-cpp` that replies without a model, because the native package is not installed. */
import { pathToFileURL } from 'node:url';
import type { Message } from '../../src/providers/provider.ts';
import { tempFolder } from './temp-folder.ts';

export interface FakeBehaviour {
  /** The reaction to a prompt: `reply`, `stall` before or after a first word, or `fail`. */
  readonly mode: 'reply' | 'stall' | 'stallMidReply' | 'fail';
  /** Replies by a prompt's first word. */
  readonly replies?: Readonly<Record<string, unknown>>;
  /** Logits of the tokens that may follow any prompt. */
  readonly nextLogits?: Readonly<Record<string, number>>;
}

/** The code of the package. Four letters are a token, and the template adds one word to each message. */
const source = (behaviour: FakeBehaviour): string => `
const { mode, replies = {}, nextLogits = {} } = ${JSON.stringify(behaviour)};
export const received = [];
export const state = { disposed: 0, contexts: [] };
const role = { user: 'user', system: 'system', model: 'assistant' };
const textOf = (item) => item.text ?? item.response.join('');
const tokensOf = (text) => text.match(/[^]{1,4}/gu) ?? [];
export class LlamaChat {
  constructor({ contextSequence }) { this.sequence = contextSequence; }
  chatWrapper = { generateContextState: ({ chatHistory }) => ({
    contextText: { tokenize: () => tokensOf(chatHistory.map((item) => item.type + textOf(item)).join('')) },
  }) };
  async generateResponse(history, { signal, onResponseChunk, maxTokens, grammar }) {
    received.push(history.slice(0, -1).map((item) => ({ role: role[item.type], content: textOf(item) })));
    if (mode === 'fail') throw new Error('the model has no head');
    const asked = textOf(history.at(-2));
    const reply = JSON.stringify(replies[asked.split(':')[0]]) ?? 'noise';
    const stalled = () => new Promise((resolve, reject) => {
      const timer = setInterval(() => {}, 1000);
      signal.addEventListener('abort', () => { clearInterval(timer); reject(signal.reason); });
    });
    if (mode === 'stall') await stalled();
    const tokens = tokensOf(reply);
    for (const token of tokens.slice(0, maxTokens)) {
      signal.throwIfAborted();
      this.sequence.tokenMeter.usedOutputTokens += 1;
      onResponseChunk({ text: token });
      if (mode === 'stallMidReply') await stalled();
      await null;
    }
    const isCut = tokens.length > maxTokens;
    return { response: tokens.slice(0, maxTokens).join(''), metadata: { stopReason: isCut ? 'maxTokens' : 'eogToken' } };
  }
}
const createSequence = () => ({
  nextTokenIndex: 0,
  tokenMeter: { usedOutputTokens: 0 },
  async adaptStateToTokens(tokens) { this.nextTokenIndex = Math.min(this.nextTokenIndex, 0); },
  async evaluateWithoutGeneratingNewTokens(tokens) { this.nextTokenIndex += tokens.length; await null; },
  async controlledEvaluate([[, { generateNext }]]) {
    const ordered = Object.entries(nextLogits).sort(([, a], [, b]) => b - a);
    const sum = ordered.reduce((all, [, logit]) => all + Math.exp(logit - ordered[0][1]), 0);
    return [{ next: { logits: new Map(ordered.slice(0, generateNext.logits.filter.includeTop)), totalLogitWeight: sum } }];
  },
});
const model = {
  tokenizer: {},
  detokenize: (tokens) => tokens.join(''),
  async dispose() { state.disposed += 1; },
  async createContext({ contextSize }) {
    state.contexts.push(contextSize);
    return { contextSize, getSequence: createSequence, async dispose() {} };
  },
};
export async function getLlama() {
  return {
    gpu: false,
    cpuMathCores: 2,
    maxThreads: 4,
    async loadModel() { return model; },
    async createGrammarForJsonSchema(schema) { return { grammar: JSON.stringify(schema) }; },
  };
}
`;

/** The records of the package. */
export interface FakeModule {
  readonly received: readonly (readonly Message[])[];
  readonly state: { readonly disposed: number; readonly contexts: readonly number[] };
}

/** Creates a folder with this package, or with other files, in its `node_modules`. */
export function fakePackage(files: Readonly<Record<string, string>>): string {
  const entries = Object.entries(files).map(([name, text]) => [`node_modules/node-llama-cpp/${name}`, text] as const);
  return tempFolder(Object.fromEntries(entries));
}

export async function fakeLlama(behaviour: FakeBehaviour): Promise<{ folder: string; module: FakeModule }> {
  const folder = fakePackage({
    'package.json': JSON.stringify({ name: 'node-llama-cpp', version: '3.22.1', type: 'module' }),
    'dist/index.js': source(behaviour),
  });
  const module = await import(pathToFileURL(`${folder}/node_modules/node-llama-cpp/dist/index.js`).href);
  return { folder, module };
}
