import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { collectorOf, sendSpans } from '../../src/cli/output/send-spans.ts';
import { toOtlp } from '../../src/report/otel.ts';
import { endedRun } from '../../src/report/run.ts';
import { plainRun } from './sample-runs.ts';

const context = { service: 'rlm', resource: {}, traceparent: null, withContent: false };

interface SentSpan {
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceId: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly intValue?: string; readonly stringValue?: string };
  }[];
  readonly status: { readonly code?: number };
}

interface Sent {
  readonly resourceSpans: readonly [
    {
      readonly resource: { readonly attributes: unknown };
      readonly scopeSpans: readonly [{ readonly spans: readonly SentSpan[] }];
    },
  ];
}

const sentOf = (run = plainRun, more = {}) => toOtlp(run, { ...context, ...more }) as Sent;
const spansOf = (sent: Sent) => sent.resourceSpans[0].scopeSpans[0].spans;

describe('spans', () => {
  const node = {
    type: 'node.completed',
    path: '0.1',
    status: 'unanswered',
    calls: 1,
    cacheHits: 0,
    tokens: { input: 5, output: 2 },
    timeMs: 900,
    error: { code: 'call-timeout' },
  };
  const tool = {
    type: 'tool.called',
    path: '0.1',
    step: 1,
    call: 1,
    tool: 'grep',
    arguments: {},
    outcome: 'wrong',
    result: 'secret words',
  };
  const events = [node, tool].map((event, index) => ({
    seq: 50 + index,
    at: '2026-11-20T15:02:15.000Z',
    runId: 'r',
    ...event,
  }));
  const run = {
    ...plainRun,
    trajectory: { ...plainRun.trajectory!, events: [...plainRun.trajectory!.events, ...events] as never },
  };

  it('describe the run, stages, questions, calls and tools, each below its parent', () => {
    const spans = spansOf(sentOf(run));
    const byId = new Map(spans.map((span) => [span.spanId, span.name]));
    const told = spans.map(({ name, parentSpanId, kind }) => [
      name,
      parentSpanId ? byId.get(parentSpanId) : null,
      kind,
    ]);
    expect(told).toEqual(
      expect.arrayContaining([
        ['invoke_workflow rlm', null, 1],
        ['plan', 'invoke_workflow rlm', 1],
        ['chat qwen2.5-coder:14b', 'plan', 3],
        ['invoke_agent question', 'invoke_workflow rlm', 1],
        ['chat qwen2.5-coder:7b', 'invoke_agent question', 3],
        ['execute_tool grep', 'invoke_agent question', 1],
      ]),
    );
    expect(new Set(byId.keys()).size).toBe(spans.length);
    for (const { spanId, traceId, startTimeUnixNano, endTimeUnixNano, parentSpanId } of spans) {
      expect(spanId + traceId).toMatch(/^[0-9a-f]{48}$/);
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
      expect(parentSpanId === undefined || byId.has(parentSpanId)).toBe(true);
    }
    expect(spans.find(({ name }) => name === 'invoke_agent question')).toMatchObject({
      status: { code: 2 },
      attributes: expect.arrayContaining([
        { key: 'error.type', value: { stringValue: 'call-timeout' } },
        { key: 'gen_ai.usage.input_tokens', value: { intValue: '5' } },
      ]),
    });
  });

  it('hold no words of text, prompts or replies unless that is asked for', () => {
    expect(JSON.stringify(sentOf(run))).not.toMatch(/pool|secret words|QUESTION|Why did/);
    expect(JSON.stringify(sentOf(run, { withContent: true }))).toMatch(/QUESTION: planner.*changed from 40 to 4/);
  });

  it('join the trace of who has started the program, and are none of a run that did not begin', () => {
    const [first] = spansOf(sentOf(run, { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }));
    expect(first).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) });
    expect(toOtlp(endedRun(plainRun.result, null), context)).toBe(null);
  });
});

describe('a collector', () => {
  it.each([
    [undefined, {}, null],
    [true, {}, 'http://localhost:4318/v1/traces'],
    ['http://a:1/', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://b' }, 'http://a:1/v1/traces'],
    [undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://b/x' }, 'http://b/x/v1/traces'],
    [
      undefined,
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/t', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://b' },
      'http://c/t',
    ],
    [undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://b', OTEL_SDK_DISABLED: 'true' }, null],
    [undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://b', OTEL_TRACES_EXPORTER: 'none' }, null],
  ])('%j with %j is %j', (flag, env, url) => {
    expect(collectorOf(flag, env)?.url ?? null).toBe(url);
  });

  it('gets one request with its headers; one that is down, silent or refuses ends no run', async () => {
    const got: { path: string | undefined; key: unknown; body: string }[] = [];
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        got.push({ path: request.url, key: request.headers['x-key'], body: Buffer.concat(parts).toString() });
        if (request.url !== '/silent/v1/traces')
          response.writeHead(request.url === '/no/v1/traces' ? 503 : 200).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const env = { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b' };
    const send = (url: string) => {
      const timeoutMs = url.endsWith('silent') ? 50 : 30_000;
      return sendSpans({ ...collectorOf(url, env)!, timeoutMs }, plainRun, env);
    };
    const base = `http://127.0.0.1:${port}`;
    const outcomes = await Promise.all([base, `${base}/no`, `${base}/silent`, 'http://127.0.0.1:1'].map(send));
    server.closeAllConnections();
    server.close();
    expect(outcomes).toEqual([
      null,
      'the collector replied with 503',
      'the collector did not reply in time',
      expect.any(String),
    ]);
    expect(got.find(({ path }) => path === '/v1/traces')).toMatchObject({
      path: '/v1/traces',
      key: 'a b',
      body: expect.stringContaining('resourceSpans'),
    });
    expect(() => collectorOf('nowhere', {})).toThrow(/cannot be sent/);
  });
});
