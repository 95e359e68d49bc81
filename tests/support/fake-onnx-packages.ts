/** Packages in the place of `onnxruntime-node` and `@huggingface/tokenizers`: where the native one is not installed. */
import { knownPairs } from '../../src/providers/onnx/known-pairs.ts';
import { tempFolder } from './temp-folder.ts';

/** How the model judges: `knows` the known pairs, and of others whether the text has the claim as it stands. */
export type FakeChecker = 'knows' | 'turned' | 'dull' | 'broken';

/** A letter is a token; the claim follows the token 1. */
const tokenizers = `
export class Tokenizer {
  encode(text, { text_pair, add_special_tokens = true }) {
    const letters = (words) => [...words].map((letter) => letter.codePointAt(0));
    const pair = text_pair === undefined ? [] : [1, ...letters(text_pair)];
    const ids = [...letters(text), ...pair];
    return { ids, attention_mask: ids.map(() => 1) };
  }
  token_to_id() { return undefined; }
}
`;

const runtime = (checker: FakeChecker) => `
const known = new Map(${JSON.stringify(knownPairs.map(({ text, claim, isSupported }) => [`${text}\u0001${claim}`, isSupported]))});
export class Tensor {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }); }
}
const logit = (pair) => {
  const [text, claim] = pair.split('\\u0001');
  return (known.get(pair) ?? text.includes(claim)) ? 3 : -3;
};
export const InferenceSession = {
  async create(path) {
    if (${JSON.stringify(checker)} === 'broken') throw new Error('Load model from ' + path + ' failed: Protobuf parsing failed.');
    return {
      inputNames: ['input_ids', 'attention_mask'],
      outputNames: ['logits'],
      async run({ input_ids }) {
        const pair = String.fromCodePoint(...Array.from(input_ids.data, Number));
        const odds = ${JSON.stringify(checker)} === 'dull' ? 0 : logit(pair);
        return { logits: { data: ${JSON.stringify(checker)} === 'turned' ? [odds, 0] : [0, odds], dims: [1, 2] } };
      },
      async release() {},
    };
  },
};
`;

/** A folder with both in its `node_modules`. */
export const fakeOnnxPackages = (checker: FakeChecker): string =>
  tempFolder({
    'node_modules/onnxruntime-node/package.json': JSON.stringify({ version: '1.30.0', type: 'module' }),
    'node_modules/onnxruntime-node/dist/index.js': runtime(checker),
    'node_modules/@huggingface/tokenizers/package.json': JSON.stringify({ version: '0.2.0', type: 'module' }),
    'node_modules/@huggingface/tokenizers/dist/tokenizers.mjs': tokenizers,
  });
