import { afterAll } from 'vitest';
import { onServer, retrieverContract } from '../../contracts/retriever.ts';
import { startChromaServer } from '../../servers/chroma-server.ts';
import { startElasticsearchServer } from '../../servers/elasticsearch-server.ts';
import type { SearchHttp } from '../../servers/search-http.ts';
import { open, toIndexed, toRecords } from '../../support/search-servers.ts';

const started: SearchHttp[] = [];
afterAll(() => Promise.all(started.map((server) => server.close())));

async function opened(server: Promise<SearchHttp>, toAddress: (host: string) => string) {
  const running = await server;
  started.push(running);
  return (await open(toAddress(running.url.replace('http://', '')))).retriever;
}

retrieverContract(
  'chroma, simulated',
  (store) => opened(startChromaServer('docs', toRecords(store)), (host) => `chroma+http://${host}/docs`),
  onServer,
);

retrieverContract(
  'elasticsearch, simulated',
  (store) => opened(startElasticsearchServer('docs', toIndexed(store)), (host) => `elasticsearch+http://${host}/docs`),
  onServer,
);

retrieverContract(
  'opensearch, simulated',
  (store) =>
    opened(
      startElasticsearchServer('docs', toIndexed(store), { kind: 'opensearch' }),
      (host) => `opensearch+http://${host}/docs`,
    ),
  onServer,
);
