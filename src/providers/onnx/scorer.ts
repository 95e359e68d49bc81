/** A loaded ONNX model, which gives the probability of each of its outputs for a text and a claim. */
import { RlmError } from '../../errors.ts';
import { clean } from '../wire/http-errors.ts';
import type { CheckerFolder } from './folder.ts';
import type { RuntimeModule, Session, Tensor, Tokenizer, TokenizerModule } from './interface.ts';

export interface Scorer {
  /** The longest pair, in tokens. */
  readonly maxTokens: number;
  /** Counts the tokens of a text alone. */
  countTokens(text: string): number;
  /** Returns the probability of each output, 0–1. Throws `prompt-too-long` and `provider-failed`. */
  score(text: string, claim: string): Promise<number[]>;
  /** Frees the model. Never rejects. */
  close(): Promise<void>;
}

const failed = (name: string, doing: string, error: unknown): RlmError =>
  error instanceof RlmError
    ? error
    : new RlmError(
        'provider-failed',
        `the ONNX model ${name} could not ${doing}: ${clean(String((error as Error).message))}`,
        {
          hint: 'Check that the file is complete and classifies pairs of texts, and that this version of onnxruntime-node supports its operators.',
          cause: error,
        },
      );

function softmax(logits: readonly number[]): number[] {
  const most = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - most));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / all);
}

/** Converts logits to probabilities; a single output is the logarithm of the odds. */
const toProbabilities = (logits: readonly number[]): number[] =>
  logits.length === 1 ? [1 / (1 + Math.exp(-logits[0]!))] : softmax(logits);

const mostOutputs = 8;

function readLogits({ data, dims }: Tensor): number[] {
  const logits = Array.from(data, Number);
  const isOneRow = logits.length === (dims.at(-1) ?? 0);
  if (isOneRow && logits.length > 0 && logits.length <= mostOutputs && logits.every(Number.isFinite)) return logits;
  throw new Error(`its output has the shape [${dims.join(', ')}], not one row of scores`);
}

/** Returns the fixed input length of the model; null where any length is accepted. */
function fixedLength({ inputMetadata = [] }: Session): number | null {
  const length = inputMetadata.find(({ name }) => name === 'input_ids')?.shape?.[1];
  return typeof length === 'number' && length > 0 ? length : null;
}

function padId(tokenizer: Tokenizer, { tokenizerConfig }: CheckerFolder): number {
  const token = tokenizerConfig['pad_token'];
  const name = typeof token === 'object' && token !== null && 'content' in token ? token.content : token;
  return (typeof name === 'string' ? tokenizer.token_to_id(name) : undefined) ?? 0;
}

/** Creates the conversion of a pair of texts into the model's inputs. */
function createFeeder(session: Session, tokenizer: Tokenizer, folder: CheckerFolder, { Tensor }: RuntimeModule) {
  const fixed = fixedLength(session);
  const pad = padId(tokenizer, folder);
  const maxTokens = Math.min(folder.maxTokens, fixed ?? folder.maxTokens);
  const kindOf = (name: string) => session.inputMetadata?.find((one) => one.name === name)?.type;

  function toTensor(name: string, values: readonly number[], filler: number): Tensor {
    const whole = [...values, ...Array<number>(Math.max(0, (fixed ?? 0) - values.length)).fill(filler)];
    return kindOf(name) === 'int32'
      ? new Tensor('int32', Int32Array.from(whole), [1, whole.length])
      : new Tensor('int64', BigInt64Array.from(whole, BigInt), [1, whole.length]);
  }

  function feed(text: string, claim: string): Record<string, Tensor> {
    const { ids, attention_mask, token_type_ids } = tokenizer.encode(text, {
      text_pair: claim,
      return_token_type_ids: true,
    });
    if (ids.length > maxTokens)
      throw new RlmError(
        'prompt-too-long',
        `a text and its claim have ${ids.length} tokens, and ${folder.name} takes ${maxTokens}`,
      );
    const inputs: Readonly<Record<string, Tensor>> = {
      input_ids: toTensor('input_ids', ids, pad),
      attention_mask: toTensor('attention_mask', attention_mask, 0),
      token_type_ids: toTensor('token_type_ids', token_type_ids ?? ids.map(() => 0), 0),
    };
    const unknown = session.inputNames.find((name) => !Object.hasOwn(inputs, name));
    if (unknown !== undefined) throw new Error(`it needs the unknown input ${unknown}`);
    return Object.fromEntries(session.inputNames.map((name) => [name, inputs[name]!]));
  }

  return { maxTokens, feed };
}

const onlyErrors = 3;

/** Loads the model. Throws `provider-failed` when it cannot be loaded. */
export async function createScorer(folder: CheckerFolder, modules: RuntimeModule & TokenizerModule): Promise<Scorer> {
  const { name } = folder;
  async function open() {
    const tokenizer = new modules.Tokenizer(folder.tokenizer, folder.tokenizerConfig);
    const session = await modules.InferenceSession.create(folder.modelPath, { logSeverityLevel: onlyErrors });
    return { tokenizer, session };
  }
  const { tokenizer, session } = await open().catch((error: unknown) => {
    throw failed(name, 'be loaded', error);
  });
  const { maxTokens, feed } = createFeeder(session, tokenizer, folder, modules);
  const output = session.outputNames.includes('logits') ? 'logits' : session.outputNames[0]!;
  return {
    maxTokens,
    countTokens: (text) => tokenizer.encode(text, { add_special_tokens: false }).ids.length,
    async score(text, claim) {
      try {
        return toProbabilities(readLogits((await session.run(feed(text, claim)))[output]!));
      } catch (error) {
        throw failed(name, 'judge a claim', error);
      }
    },
    close: () => session.release().catch(() => {}),
  };
}
