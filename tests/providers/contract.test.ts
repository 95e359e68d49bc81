import { RlmError } from '../../src/errors.ts';
import { createExtractiveProvider } from '../../src/providers/extractive/index.ts';
import { createLlamaCppProvider } from '../../src/providers/llama-cpp.ts';
import { createOllamaProvider } from '../../src/providers/ollama.ts';
import type { Message } from '../../src/providers/provider.ts';
import { createScriptedProvider, type Script } from '../../src/providers/scripted.ts';
import { type ProviderUnderTest, providerContract } from '../contracts/provider.ts';
import { sampleReplies } from '../contracts/sample-requests.ts';
import { type ChatCall, faults, replyByFormat, type ServerReply, startOllamaServer } from '../servers/ollama-server.ts';
import { type FakeBehaviour, fakeLlama } from '../support/fake-llama-package.ts';
import { ggufFile } from '../support/gguf-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

type Reply = (request: ChatCall) => ServerReply | Promise<ServerReply>;

const ollama = (reply: Reply) => async (): Promise<ProviderUnderTest> => {
  const server = await startOllamaServer({ reply, bytesPerWrite: 7 });
  return {
    provider: createOllamaProvider({ host: server.url, model: 'qwen2.5-coder:14b' }),
    received: () => server.requests.map(({ messages }) => messages as readonly Message[]),
    openSockets: server.openSockets,
    close: server.close,
  };
};

const scripted = (script: Script) => (): ProviderUnderTest => {
  const provider = createScriptedProvider(script);
  return { provider, received: () => provider.requests.map(({ messages }) => messages) };
};

providerContract('ollama', {
  answers: ollama(replyByFormat(sampleReplies)),
  stalls: ollama(() => faults.stall()),
  stallsMidReply: ollama(() => faults.stallMidStream()),
  fails: ollama(() => faults.status(500, { error: 'model runner has unexpectedly stopped' })),
});

providerContract('scripted', {
  answers: scripted(sampleReplies),
  stalls: scripted(() => new Promise(() => {})),
  stallsMidReply: null,
  fails: scripted([new RlmError('rate-limited', 'slow down')]),
});

const llamaCpp = (behaviour: FakeBehaviour) => async (): Promise<ProviderUnderTest> => {
  const { folder, module } = await fakeLlama(behaviour);
  const header = { 'general.architecture': 'llama', 'llama.context_length': 32_768, 'tokenizer.chat_template': 'x' };
  const cwd = tempFolder({ 'model.gguf': ggufFile(header) });
  const provider = createLlamaCppProvider({ model: 'model.gguf', cwd, folder, threads: 1, gpu: 'off' });
  return { provider, received: () => module.received, close: async () => provider.close?.() };
};

providerContract('llama-cpp', {
  answers: llamaCpp({ mode: 'reply', replies: sampleReplies }),
  stalls: llamaCpp({ mode: 'stall' }),
  stallsMidReply: llamaCpp({ mode: 'stallMidReply' }),
  fails: llamaCpp({ mode: 'fail' }),
});

providerContract('extractive', {
  answers: () => ({ provider: createExtractiveProvider() }),
  stalls: null,
  stallsMidReply: null,
  fails: null,
});
