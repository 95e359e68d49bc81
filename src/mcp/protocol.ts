/** The protocol library has a bundle of its own, because it is as large as the rest of rlm. */
export {
  type JSONRPCMessage,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
