import { describe, expect, it } from 'vitest';
import { bytesOf, tokensOf } from '../../../../src/context/text-size.ts';
import { createSizing } from '../../../../src/run/door/window.ts';

const window = { tokens: 8_192, passageBytes: 12_000, lookBytes: 9_000, fits: true };

describe('the room of a model', () => {
  it('is the estimated one as long as nothing else is known', () => {
    const sizing = createSizing();
    sizing.counted(1_000, 700);
    sizing.counted(30, 90);
    expect(sizing.seen(window)).toBe(window);
    expect(sizing.scaled(1_000)).toBe(1_000);
  });

  it('shrinks by the count of its server, and never grows again', () => {
    const sizing = createSizing();
    sizing.counted(1_000, 1_500);
    sizing.counted(1_000, 900);
    expect(sizing.seen(window)).toMatchObject({ passageBytes: 6_500, lookBytes: 6_000 });
    expect(sizing.seen({ ...window, lookBytes: null }).lookBytes).toBeNull();
    expect(sizing.scaled(1_000)).toBe(1_500);
  });

  it('leaves room for the instructions, which the server counts too', () => {
    const [sizing, reply] = [createSizing(), 2_048];
    const full = { ...window, passageBytes: bytesOf(window.tokens - reply - 1_500) };
    sizing.counted(1_000, 2_000);
    const { passageBytes } = sizing.seen(full);
    expect(sizing.scaled(1_500 + tokensOf(passageBytes)) + reply).toBeLessThanOrEqual(window.tokens);
    expect(passageBytes).toBeGreaterThan(2_000);
  });

  it('shrinks with each refused prompt, by the window that it did not fit', () => {
    const sizing = createSizing();
    sizing.refused(4_096, 8_192);
    expect(sizing.seen(window).passageBytes).toBe(3_750);
    sizing.refused(4_096, 8_192);
    expect(sizing.seen(window).passageBytes).toBe(2_100);
    expect(sizing.refusals).toBe(2);
  });
});
