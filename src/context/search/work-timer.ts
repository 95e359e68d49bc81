import { now } from '../../base/time.ts';

/** Measures stretches of work in processor time, one after the other, so that a busy machine does not count. */
export interface WorkTimer {
  begin(): void;
  /** Returns the time of the stretch, in ms; up to 20 ms too much for a long one. */
  spentMs(): number;
}

/** Work shorter than this by the clock took no longer of the processor, and is not measured further. */
const shortMs = 20;

/**
 * Creates a timer. Reading the processor's time takes as long as searching 64 KB for a literal, so it is read seldom.
 */
export function createWorkTimer(): WorkTimer {
  let beganAt = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let before: NodeJS.CpuUsage | undefined;
  return {
    begin() {
      beganAt = now();
      if (beganAt - askedAt < shortMs) return;
      askedAt = beganAt;
      before = process.cpuUsage();
    },
    spentMs() {
      const ms = now() - beganAt;
      return ms < shortMs ? ms : Math.min(ms, process.cpuUsage(before).user / 1000);
    },
  };
}
