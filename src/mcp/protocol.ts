/** What of the protocol's library is used; it is bundled by itself, since it is as large as the rest of the program. */
export {
  McpServer,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
