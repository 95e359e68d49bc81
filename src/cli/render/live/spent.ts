import { now } from '../../../base/clock.ts';
import { counted, grouped } from '../../../base/counted.ts';
import { money } from '../../../base/money.ts';
import type { RunEvent } from '../../../index.ts';
import { asksModel } from '../model-calls.ts';

type Limits = Extract<RunEvent, { type: 'run.started' }>['limits'];

/** Formats a time as `0:48`, `12:05` or `1:02:05`. */
function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const padded = (part: number) => String(part).padStart(2, '0');
  return `${hours > 0 ? `${hours}:${padded(minutes)}` : minutes}:${padded(seconds % 60)}`;
}

const of = (limit: string | null): string => (limit === null ? '' : ` of ${limit}`);

/** Formats a time as `about 20 s left` or `about 3 min left`. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 100) return `about ${seconds < 10 ? seconds : Math.round(seconds / 5) * 5} s left`;
  return `about ${Math.round(seconds / 60)} min left`;
}

/** Follows what a run has spent, with its limits. */
export function createSpent(startedAt: number) {
  let limits: Limits | null = null;
  let asks = true;
  let [calls, tokens, usd] = [0, 0, 0];
  function callsText(): string {
    if (calls === 0 && (limits === null || !asks)) return '';
    return limits !== null && asks ? `calls ${grouped(calls)}/${grouped(limits.calls)}` : counted(calls, 'call');
  }
  return {
    onEvent(event: RunEvent): void {
      if (event.type === 'run.started') {
        limits = event.limits;
        asks = asksModel(event);
      }
      if (event.type === 'call.started' && asksModel(event)) calls += 1;
      if (event.type !== 'call.completed') return;
      tokens += event.tokens.input + event.tokens.output;
      usd += event.cost ?? 0;
    },
    /** Returns a text such as `calls 16/50 · 12,400 tokens · $0.02 · 0:48 of 10:00`. */
    text(): string {
      const most = limits?.tokens == null ? null : grouped(limits.tokens);
      const dearest = limits?.usd == null ? null : money(limits.usd);
      const time = clockTime(now() - startedAt);
      return [
        callsText(),
        tokens > 0 ? `${grouped(tokens)}${of(most)} tokens` : '',
        usd > 0 ? `${money(usd)}${of(dearest)}` : '',
        `${time}${of(limits && clockTime(limits.wallTimeMs))}`,
      ]
        .filter(Boolean)
        .join(' · ');
    },
  };
}
