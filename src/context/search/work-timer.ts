import { now } from '../../base/clock.ts';

/** Times stretches of work by the processor, one after the other: a busy machine says nothing of the work. */
export interface WorkTimer {
  begin(): void;
  /** What the stretch has taken, in ms; up to 20 ms too much where it took long. */
  spentMs(): number;
}

/** Work that took less than that by the clock took no longer of the processor, and is not looked at closer. */
const shortMs = 20;

/** Asking for the processor's time takes as long as looking through 64 KB for a literal, so it is asked seldom. */
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
