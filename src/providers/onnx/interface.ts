/**
 * The used parts of the interfaces of `onnxruntime-node` and `@huggingface/tokenizers`, which are not part of this
 * program.
 */

export interface Tensor {
  readonly data: ArrayLike<number | bigint>;
  readonly dims: readonly number[];
}

export interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** The inputs' shapes; an open dimension is a name or absent. */
  readonly inputMetadata?: readonly {
    readonly name: string;
    readonly type?: string;
    readonly shape?: readonly (number | string | undefined)[];
  }[];
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  release(): Promise<void>;
}

/** The exports of `onnxruntime-node`. */
export interface RuntimeModule {
  readonly InferenceSession: {
    create(path: string, options: { readonly logSeverityLevel: number }): Promise<Session>;
  };
  readonly Tensor: new (type: 'int64' | 'int32', data: BigInt64Array | Int32Array, dims: readonly number[]) => Tensor;
}

interface Encoding {
  readonly ids: readonly number[];
  readonly attention_mask: readonly number[];
  readonly token_type_ids?: readonly number[];
}

export interface Tokenizer {
  encode(
    text: string,
    options: {
      readonly text_pair?: string;
      readonly add_special_tokens?: boolean;
      readonly return_token_type_ids?: boolean;
    },
  ): Encoding;
  token_to_id(token: string): number | undefined;
}

/** The exports of `@huggingface/tokenizers`. */
export interface TokenizerModule {
  readonly Tokenizer: new (tokenizer: object, config: object) => Tokenizer;
}
