/** Sends the spans of a run to the collector that `--otel` or the OpenTelemetry variables name, if any. */

import { type EndedRun, spansOf } from '../../api/runs/reports.ts';
import { RlmError } from '../../errors.ts';
import type { OptionSpec } from '../command.ts';

export const otelOption: OptionSpec = {
  flags: '--otel [url]',
  group: 'output',
  about:
    'send spans of the run to an OpenTelemetry collector; default: http://localhost:4318, or OTEL_EXPORTER_OTLP_ENDPOINT',
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The collector that spans are sent to. */
export interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

const localCollector = 'http://localhost:4318';

/** The longest wait for a collector, in ms. It is short, because the run has already ended. */
const longestWait = 2_000;

/** Parses a list such as `a=1,b=2` with percent escapes (OpenTelemetry specification). Skips invalid entries. */
function pairs(list: string | undefined): Record<string, string> {
  const decoded = (text: string) => {
    try {
      return decodeURIComponent(text.trim());
    } catch {
      return text.trim();
    }
  };
  const entries = (list ?? '')
    .split(',')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return Object.fromEntries(
    entries.filter(([name]) => name !== '').map(([name, value]) => [name!.trim(), decoded(value!)]),
  );
}

const isOff = (env: Environment): boolean =>
  env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';

function tracesUrl(flag: unknown, env: Environment): string | null {
  const base = typeof flag === 'string' ? flag : env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const whole = typeof flag === 'string' ? undefined : env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  if (whole) return whole;
  if (base) return `${base.replace(/\/+$/, '')}/v1/traces`;
  return flag === true ? `${localCollector}/v1/traces` : null;
}

/**
 * Returns the requested collector, or null.
 * @param flag the value of `--otel`: a URL, true without a value, undefined when it is not given.
 * @throws RlmError `usage` when the URL is invalid.
 */
export function collectorOf(flag: unknown, env: Environment): Collector | null {
  if (flag === undefined && isOff(env)) return null;
  const url = tracesUrl(flag, env);
  if (url === null) return null;
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new RlmError('usage', `spans cannot be sent to "${url}"`, {
      hint: 'Give a URL, such as --otel http://localhost:4318.',
    });
  }
  const headers = { ...pairs(env['OTEL_EXPORTER_OTLP_HEADERS']), ...pairs(env['OTEL_EXPORTER_OTLP_TRACES_HEADERS']) };
  const timeoutMs = Number(env['OTEL_EXPORTER_OTLP_TIMEOUT']) || longestWait;
  return { url, headers, timeoutMs: Math.min(timeoutMs, longestWait) };
}

/** Sends the spans of a run. Takes at most 2 s. Resolves to an error message, or null on success. */
export async function sendSpans(
  { url, headers, timeoutMs }: Collector,
  run: EndedRun,
  env: Environment,
): Promise<string | null> {
  const body = await spansOf(run, {
    service: env['OTEL_SERVICE_NAME'] || 'rlm',
    resource: pairs(env['OTEL_RESOURCE_ATTRIBUTES']),
    traceparent: env['TRACEPARENT'] ?? null,
    withContent: env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']?.toLowerCase() === 'true',
  });
  if (body === null) return null;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const request = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    };
    const { ok, status } = await fetch(url, { ...request, redirect: 'error' });
    return ok ? null : `the collector replied with ${status}`;
  } catch (error) {
    const { cause, name, message } = error as Error & { cause?: { code?: string } };
    return name === 'TimeoutError' ? 'the collector did not reply in time' : (cause?.code ?? message);
  }
}
