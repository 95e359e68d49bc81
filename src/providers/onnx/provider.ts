import { resolve } from 'node:path';
import { untilAborted } from '../../base/abort.ts';
import { contentTerms } from '../../context/words/terms.ts';
import { RlmError } from '../../errors.ts';
import type { CheckVariables } from '../../prompts/check.ts';
import type { ModelInfo, ModelReply, Provider, TokenOdds } from '../provider.ts';
import { type CheckerFolder, readCheckerFolder } from './folder.ts';
import { leastRight, type Measured, measure } from './measure.ts';
import { type FoundPackages, findPackages, loadPackages } from './packages.ts';
import { createScorer, type Scorer } from './scorer.ts';
import { windowsFor } from './windows.ts';

export interface OnnxOptions {
  /** The folder of the model, or its `.onnx` file, relative to `cwd`; null: none. */
  readonly model: string | null;
  readonly cwd: string;
  /** Folder of the packages; null: the usual places. */
  readonly folder: string | null;
}

/** A loaded model with its test result. */
interface Loaded extends Measured {
  readonly scorer: Scorer;
}

function describe({ name, sizeBytes, digest }: CheckerFolder): ModelInfo {
  return {
    model: name,
    // Longer texts are read in parts.
    maxWindowTokens: 32_768,
    structuredOutput: true,
    tools: false,
    // At 32 bits each; exports in 8 bits have more.
    weights: Math.round(sizeBytes / 4),
    spends: 'tokens',
    digest,
    callsAtOnce: 1,
    answersWithoutText: false,
    notices: [],
  };
}

const onlyChecks = (prompt: string): RlmError =>
  new RlmError('request-refused', `an ONNX model judges claims and cannot reply to "${prompt}"`, {
    hint: 'Name it as evidence.model, and another model for the rest.',
  });

const notBelieved = ({ name }: CheckerFolder, { right }: Measured): RlmError =>
  new RlmError(
    'request-refused',
    `${name} judges ${Math.round(100 * right)} of 100 known claims correctly, fewer than ${100 * leastRight}: it is not used`,
    { hint: 'Take another model or an export with more bits, or set evidence.check to words.' },
  );

/** Terms of a claim, at most, that is judged together with its question. */
const fewTerms = 3;

const hypothesisOf = ({ claim, question }: CheckVariables): string =>
  new Set(contentTerms(claim)).size <= fewTerms ? `${question} ${claim}`.trim() : claim;

/** Tokens that the tokenizer adds to a pair. */
const aroundPair = 4;

/** Returns the probability that the passages support a claim, 0–1: that of the part with the highest one. */
async function supportOf(variables: CheckVariables, { scorer, output }: Loaded, signal: AbortSignal): Promise<number> {
  const claim = hypothesisOf(variables);
  const room = Math.max(1, scorer.maxTokens - scorer.countTokens(claim) - aroundPair);
  const texts = variables.passages.map(({ text }) => text);
  let most = 0;
  for (const window of windowsFor(texts, claim, room, scorer.countTokens)) {
    signal.throwIfAborted();
    most = Math.max(most, (await scorer.score(window, claim))[output] ?? 0);
  }
  return most;
}

const least = 1e-6;

/** Returns the verdict as a model's reply with token probabilities. */
function replyWith(support: number): ModelReply {
  const odds = { YES: Math.log(Math.max(support, least)), NO: Math.log(Math.max(1 - support, least)) };
  const verdict = support >= 0.5 ? 'YES' : 'NO';
  const alternatives = Object.entries(odds).map(([token, logprob]) => ({ token, logprob }));
  const sure = (token: string): TokenOdds => ({ token, logprob: 0, alternatives: [] });
  const logprobs = [sure('{"verdict":"'), { token: verdict, logprob: odds[verdict], alternatives }, sure('"}')];
  const text = logprobs.map(({ token }) => token).join('');
  return { text, toolCalls: [], logprobs, tokens: null, finish: 'stop' };
}

/**
 * Creates the provider for a user's ONNX model that judges whether a text supports a claim (natural language inference
 * and the like), in this process through `onnxruntime-node`. It replies to `check` alone. The model is loaded with the
 * first claim and tested on known pairs; one that judges them badly is refused with `request-refused`. `inspect`
 * throws `model-missing` for a folder that lacks a file, and `provider-unreachable` when the packages are not
 * installed.
 */
export function createOnnxProvider({ model, cwd, folder }: OnnxOptions): Provider {
  let looked: { readonly own: CheckerFolder; readonly found: FoundPackages } | null = null;
  let loading: Promise<Loaded> | null = null;

  async function look(signal: AbortSignal) {
    signal.throwIfAborted();
    if (model === null)
      throw new RlmError('model-missing', 'no ONNX model is named', {
        hint: 'Name its folder: evidence.model onnx/PATH.',
      });
    const own = await readCheckerFolder(resolve(cwd, model));
    looked ??= { own, found: await findPackages(folder, cwd, signal) };
    return looked;
  }

  async function load(signal: AbortSignal): Promise<Loaded> {
    const { own, found } = looked ?? (await look(signal));
    const scorer = await createScorer(own, await loadPackages(found));
    try {
      return { scorer, ...(await measure(scorer, own.labels, signal)) };
    } catch (error) {
      await scorer.close();
      throw error;
    }
  }

  return {
    name: 'onnx',
    async inspect(signal) {
      return describe((await look(signal)).own);
    },
    async call({ input }, { signal, onProgress }) {
      signal.throwIfAborted();
      if (input.prompt !== 'check') throw onlyChecks(input.prompt);
      loading ??= load(signal).catch((error: unknown) => {
        loading = null;
        throw error;
      });
      const loaded = await untilAborted(loading, signal);
      if (loaded.right < leastRight) throw notBelieved(looked!.own, loaded);
      const reply = replyWith(await supportOf(input.variables, loaded, signal));
      onProgress?.(reply.text.length);
      return reply;
    },
    async close() {
      const loaded = await loading?.catch(() => null);
      await loaded?.scorer.close();
    },
  };
}
