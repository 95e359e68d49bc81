/** The parts of the protocol library that only HTTP uses. */
export { toNodeHandler } from '@modelcontextprotocol/node';
export { createMcpHandler, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
