/**
 * A folder with a real ONNX model of a few kilobytes that judges the known pairs correctly because it has learned
 * them: it has a weight for each word of the claim, and sums them up. It knows no other pairs.
 */
import { type KnownPair, knownPairs } from '../../src/providers/onnx/known-pairs.ts';
import { tempFolder } from './temp-folder.ts';

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const int = (field: number, value: number): number[] => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, value: readonly number[] | Buffer): number[] => [
  (field << 3) | 2,
  ...varint(value.length),
  ...value,
];
const text = (field: number, value: string): number[] => bytes(field, Buffer.from(value));

const float = 1;
const int64 = 7;

/** A `TensorProto` with its bytes as they stand in memory. */
const tensor = (name: string, type: number, dims: readonly number[], raw: Buffer): number[] => [
  ...dims.flatMap((dim) => int(1, dim)),
  ...int(2, type),
  ...text(8, name),
  ...bytes(9, raw),
];

/** A `ValueInfoProto`; a dimension is a number or a name. */
function valueInfo(name: string, type: number, dims: readonly (number | string)[]): number[] {
  const shape = dims.flatMap((dim) => bytes(1, typeof dim === 'number' ? int(1, dim) : text(2, dim)));
  return [...text(1, name), ...bytes(2, bytes(1, [...int(1, type), ...bytes(2, shape)]))];
}

/** A `NodeProto`; attributes are whole numbers. */
function node(
  op: string,
  inputs: readonly string[],
  output: string,
  attributes: Record<string, number> = {},
): number[] {
  const named = Object.entries(attributes).map(([name, value]) =>
    bytes(5, [...text(1, name), ...int(3, value), ...int(20, 2)]),
  );
  return [...inputs.flatMap((input) => text(1, input)), ...text(2, output), ...text(4, op), ...named.flat()];
}

const wordsOf = (sentence: string): string[] => sentence.toLowerCase().match(/\w+/g) ?? [];
const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];

/** Words of the pairs, by their ids. */
const vocabulary: ReadonlyMap<string, number> = new Map(
  [...new Set([...specials, ...knownPairs.flatMap(({ text: one, claim }) => wordsOf(`${one} ${claim}`))])].map(
    (word, id) => [word, id],
  ),
);

/** The words of the claim, which the weights are for. */
const featuresOf = ({ claim }: Pick<KnownPair, 'claim'>): number[] =>
  wordsOf(claim).map((word) => vocabulary.get(word)!);

/** Weights of a perceptron that judges the pairs correctly. */
function learn(): Float32Array {
  const weights = new Float32Array(vocabulary.size);
  for (let round = 0; round < 400; round++) {
    for (const pair of knownPairs) {
      const features = featuresOf(pair);
      const sum = features.reduce((total, id) => total + weights[id]!, 0);
      const wanted = pair.isSupported ? 1 : -1;
      if (sum * wanted <= 1) for (const id of features) weights[id]! += wanted;
    }
  }
  return weights;
}

/** The model: `logits = [0, Σ weights[input_ids] · token_type_ids]`, at opset 13. */
function modelFile(weights: Float32Array): Buffer {
  const axes = Buffer.alloc(8);
  axes.writeBigInt64LE(1n);
  const nodes = [
    node('Gather', ['weights', 'input_ids'], 'each'),
    node('Cast', ['token_type_ids'], 'types', { to: float }),
    node('Mul', ['each', 'types'], 'ofClaim'),
    node('ReduceSum', ['ofClaim', 'axes'], 'sum', { keepdims: 1 }),
    node('Mul', ['sum', 'zero'], 'nothing'),
    node('Concat', ['nothing', 'sum'], 'logits', { axis: 1 }),
  ];
  const ids = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
    valueInfo(name, int64, ['batch', 'length']),
  );
  const graph = [
    ...nodes.flatMap((one) => bytes(1, one)),
    ...text(2, 'checker'),
    ...bytes(5, tensor('weights', float, [weights.length], Buffer.from(weights.buffer))),
    ...bytes(5, tensor('zero', float, [1], Buffer.alloc(4))),
    ...bytes(5, tensor('axes', int64, [1], axes)),
    ...ids.flatMap((one) => bytes(11, one)),
    ...bytes(12, valueInfo('logits', float, ['batch', 2])),
  ];
  return Buffer.from([...int(1, 8), ...bytes(7, graph), ...bytes(8, [...text(1, ''), ...int(2, 13)])]);
}

const special = (token: string) => ({
  id: vocabulary.get(token)!,
  content: token,
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
});

const tokenizer = {
  added_tokens: specials.map(special),
  normalizer: { type: 'Lowercase' },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'BertProcessing',
    sep: ['[SEP]', vocabulary.get('[SEP]')],
    cls: ['[CLS]', vocabulary.get('[CLS]')],
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary),
  },
};

/** Writes the model with its tokenizer. @param weights default: those that judge the known pairs correctly. */
export function tinyChecker(weights: Float32Array = learn()): string {
  return tempFolder({
    'model.onnx': modelFile(weights),
    'tokenizer.json': JSON.stringify(tokenizer),
    'tokenizer_config.json': JSON.stringify({
      model_max_length: 64,
      pad_token: '[PAD]',
      tokenizer_class: 'BertTokenizer',
    }),
    'config.json': JSON.stringify({ id2label: { 0: 'not_entailment', 1: 'entailment' } }),
  });
}

/** A model that says the same of every pair. */
export const dullChecker = (): string => tinyChecker(new Float32Array(vocabulary.size));
