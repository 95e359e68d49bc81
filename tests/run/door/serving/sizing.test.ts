import { describe, expect, it } from 'vitest';
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
    expect(sizing.seen(window)).toMatchObject({ passageBytes: 8_000, lookBytes: 6_000 });
    expect(sizing.seen({ ...window, lookBytes: null }).lookBytes).toBeNull();
    expect(sizing.scaled(1_000)).toBe(1_500);
  });

  it('shrinks with each refused prompt, by the window that it did not fit', () => {
    const sizing = createSizing();
    sizing.refused(4_096, 8_192);
    expect(sizing.seen(window).passageBytes).toBe(6_000);
    sizing.refused(4_096, 8_192);
    expect(sizing.seen(window).passageBytes).toBe(4_800);
    expect(sizing.refusals).toBe(2);
  });
});
