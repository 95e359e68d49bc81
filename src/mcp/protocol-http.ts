/** What of the protocol's library is used for HTTP alone. */
export { toNodeHandler } from '@modelcontextprotocol/node';
export { createMcpHandler, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
