import { RlmError } from '../../src/errors.ts';
import { createAnthropicProvider } from '../../src/providers/anthropic/provider.ts';
import { createExtractiveProvider } from '../../src/providers/extractive/provider.ts';
import { createLlamaCppProvider } from '../../src/providers/llama-cpp/provider.ts';
import { createOllamaProvider } from '../../src/providers/ollama/provider.ts';
import { createOpenAiProvider } from '../../src/providers/openai/provider.ts';
import type { Message } from '../../src/providers/provider.ts';
import { createScriptedProvider, type Script } from '../../src/providers/scripted/provider.ts';
import { type ProviderUnderTest, providerContract } from '../contracts/provider.ts';
import { sampleReplies } from '../contracts/sample-requests.ts';
import {
  type AnthropicServerOptions,
  model as claude,
  type MessageCall,
  startAnthropicServer,
} from '../servers/anthropic-server.ts';
import { type ChatCall, faults, replyByFormat, type ServerReply, startOllamaServer } from '../servers/ollama-server.ts';
import { startOpenAiServer } from '../servers/openai-server.ts';
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

/** Converts the blocks of turns in a request back to messages. */
function messagesIn(body: Readonly<Record<string, unknown>>): Message[] {
  const turns = body['messages'] as readonly { role: 'user'; content: readonly { text: string }[] }[];
  return turns.flatMap(({ role, content }) => content.map((block): Message => ({ role, content: block.text })));
}

const anthropic = (reply: AnthropicServerOptions['reply']) => async (): Promise<ProviderUnderTest> => {
  const server = await startAnthropicServer({ reply, bytesPerWrite: 7 });
  return {
    provider: createAnthropicProvider({ baseUrl: server.url, model: claude, apiKey: 'sk-ant-0123456789' }),
    received: () => server.requests.map(({ body }) => messagesIn(body)),
    openSockets: server.openSockets,
    close: server.close,
  };
};

const openai = (reply: Reply) => async (): Promise<ProviderUnderTest> => {
  const server = await startOpenAiServer({ chat: reply, bytesPerWrite: 7 });
  return {
    provider: createOpenAiProvider({ baseUrl: server.url, apiKey: null, model: 'local-model' }),
    received: () => server.chats.map(({ messages }) => messages as readonly Message[]),
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

providerContract('anthropic', {
  answers: anthropic(replyByFormat<MessageCall>(sampleReplies)),
  stalls: anthropic(() => faults.stall()),
  stallsMidReply: anthropic(() => faults.stallMidStream()),
  fails: anthropic(() => faults.status(500, { type: 'error', error: { type: 'api_error', message: 'broken' } })),
});

providerContract('openai', {
  answers: openai(replyByFormat(sampleReplies)),
  stalls: openai(() => faults.stall()),
  stallsMidReply: openai(() => faults.stallMidStream()),
  fails: openai(() => faults.status(500, { error: { message: 'The server had an error' } })),
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
