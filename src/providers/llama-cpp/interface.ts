/** The part of the interface of `node-llama-cpp` that is used. The package does not ship with this program. */

export type LlamaToken = number;

export type HistoryItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] };

export interface LlamaSequence {
  readonly nextTokenIndex: number;
  readonly tokenMeter: { readonly usedOutputTokens: number };
  adaptStateToTokens(tokens: readonly LlamaToken[], allowShift: boolean): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly LlamaToken[]): Promise<void>;
  controlledEvaluate(
    input: readonly (readonly [LlamaToken, { readonly generateNext: object }])[],
  ): Promise<({ next: { logits?: ReadonlyMap<LlamaToken, number>; totalLogitWeight?: number } } | undefined)[]>;
}

interface LlamaContext {
  readonly contextSize: number;
  getSequence(): LlamaSequence;
  dispose(): Promise<void>;
}

export interface LlamaEmbeddingContext {
  calculateInputLength(text: string): number;
  getEmbeddingFor(text: string): Promise<{ readonly vector: readonly number[] }>;
}

export interface LlamaModel {
  readonly tokenizer: unknown;
  detokenize(tokens: readonly LlamaToken[]): string;
  dispose(): Promise<void>;
  createContext(options: ContextOptions): Promise<LlamaContext>;
  createEmbeddingContext(options: ContextOptions): Promise<LlamaEmbeddingContext>;
}

interface ContextOptions {
  readonly contextSize: number;
  readonly batchSize: number;
  readonly threads: number;
}

export interface LlamaGrammar {
  readonly grammar: string;
}

export interface Llama {
  readonly gpu: string | false;
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
  readonly onResponseChunk: (chunk: { readonly type?: 'segment'; readonly text: string }) => void;
}

interface LlamaChat {
  readonly chatWrapper: {
    generateContextState(options: { readonly chatHistory: readonly HistoryItem[] }): {
      readonly contextText: { tokenize(tokenizer: unknown): LlamaToken[] };
    };
  };
  generateResponse(
    history: readonly HistoryItem[],
    options: GenerateOptions,
  ): Promise<{ readonly response: string; readonly metadata: { readonly stopReason: string } }>;
}

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
