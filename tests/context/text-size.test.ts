import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../src/context/store/store.ts';
import { densityOf, tokensOf, weigh, weightOf } from '../../src/context/text-size.ts';

const example = (name: string, start: number, bytes: number) =>
  readFileSync(new URL(`../../examples/incident/${name}`, import.meta.url))
    .subarray(start, start + bytes)
    .toString('utf8');

const two = (number: number) => String(number).padStart(2, '0');
const csv = Array.from(
  { length: 40 },
  (_, at) =>
    `2024-${two(1 + (at % 12))}-${two(1 + (at % 28))},acme-${(at * 37) % 97},${(((at * 7919) % 100_000) / 100).toFixed(2)},${at % 3 ? 'paid' : 'open'}`,
).join('\n');
const hashes = Array.from({ length: 16 }, (_, at) => createHash('sha256').update(String(at)).digest('hex')).join('\n');

describe('the size of a text in tokens', () => {
  // The counts are those of Qwen 2.5's tokenizer.
  it.each([
    ['a log', example('checkout-service.log', 100_000, 1_200), 553],
    ['another log', example('edge-proxy.log', 20_000, 1_200), 617],
    ['prose', example('runbook.md', 500, 1_600), 413],
    ['a table', csv, 1_027],
    ['hashes', hashes, 912],
    ['Chinese', '水池在当天下午被缩小到四个连接，订单因此失败。'.repeat(12), 180],
  ])('is estimated by the kinds of its characters: %s', (_, text, tokens) => {
    expect(tokensOf(weigh(text))).toBeGreaterThan(0.9 * tokens);
    expect(tokensOf(weigh(text))).toBeLessThan(1.6 * tokens);
  });

  it('is never less than its bytes suggest', () => {
    expect(weigh('')).toBe(0);
    expect(weigh('four')).toBe(4);
  });

  it('is estimated for a store from samples', () => {
    const line = 'at 2026-03-17T13:47:52.100Z in_use=40 idle=0\n';
    const prose = createContextStore(
      [{ name: 'a.md', bytes: Buffer.from('Nothing else happened on this day.\n'.repeat(500)) }],
      { chunkBytes: 1_500 },
    );
    const log = createContextStore([{ name: 'a.log', bytes: Buffer.from(line.repeat(5_000)) }], { chunkBytes: 1_500 });
    expect(densityOf(prose)).toBe(1);
    expect(weightOf(log) / log.totalBytes).toBeCloseTo(weigh(line) / line.length, 1);
  });
});
