/**
 * Names of the semantic conventions for generative AI (open-telemetry/semantic-conventions-genai). The conventions are
 * in development; when they change, only this file changes.
 */
export const names = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWrittenTokens: 'gen_ai.usage.cache_creation.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  agent: 'gen_ai.agent.name',
  tool: 'gen_ai.tool.name',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  errorType: 'error.type',
} as const;

/** The operation name of each kind of span. */
export const operations = {
  run: 'invoke_workflow',
  planner: 'plan',
  retriever: 'retrieval',
  node: 'invoke_agent',
  call: 'chat',
  tool: 'execute_tool',
  search: 'retrieval',
} as const;
