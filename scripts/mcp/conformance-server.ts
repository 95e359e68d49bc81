/**
 * Two servers over HTTP for the conformance suite: the server of rlm with the suite's fixtures, and one that asks its
 * client questions. They need no token, because the suite cannot send one. Prints the address of each on a line.
 */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEndpoint } from '../../src/mcp/http.ts';
import { createServer } from '../../src/mcp/server.ts';
import { openWorld } from '../../src/mcp/world.ts';
import { createAskingEndpoint } from './asking-server.ts';
import { addFixtures } from './conformance-fixtures.ts';

const flags = new Map([['provider', 'extractive']]);
const world = await openWorld({
  paths: [],
  flags,
  fileTools: [],
  index: null,
  onWatch: null,
  isShared: true,
  version: '0.0.0',
});

function createOwn() {
  const server = createServer(world);
  addFixtures(server, world);
  return server;
}

async function listen(answer: RequestListener): Promise<void> {
  const server = createHttpServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

await listen(createEndpoint(createOwn, null, (error) => console.error(error.message)).answer);
await listen(createAskingEndpoint());
