import { describe, expect, it } from 'vitest';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const minute = (count: number) =>
  `${String(Math.floor(count / 60)).padStart(2, '0')}:${String(count % 60).padStart(2, '0')}`;

/** A day of routine, more than a window holds, with a few other lines in it at their minutes. */
function logOf(others: Readonly<Record<string, string>>, stamp: (time: string) => string): string {
  return Array.from({ length: 1_440 }, (_, count) => {
    const time = minute(count);
    const worker = count % 3;
    const routine = `INFO worker-${worker}: request ${count} done, failed jobs are retried with retries=${worker}`;
    return `${stamp(time)} ${routine}\n${others[time] === undefined ? '' : `${stamp(time)} ${others[time]}\n`}`;
  }).join('');
}

const iso = (time: string) => `2026-03-17T${time}:00Z`;
const syslog = (time: string) => `Mar 17 ${time}:30`;
const failed = 'ERROR orders: order failed first, failed again and failed: what failed first is shown';

// The document that comes first in the text fails later, with more of the question's words.
const files = {
  'a.log': logOf({ '11:00': failed, '12:00': failed, '15:30': failed }, iso),
  'b.log': logOf({ '09:15': 'db-1 ERROR no space left on device', '18:00': 'db-1 backup finished' }, syslog),
};

const ask = async (question: string, cwd = createFolder(files)) =>
  resultOf(await rlm(['ask', question, '.', '-p', 'extractive', '--json'], { cwd }));

describe.concurrent('rlm ask about the order in time', { timeout: 120_000 }, () => {
  it('computes how long something lasted', async () => {
    const { answer, citations } = await ask('How long did the errors last?');
    expect(answer).toMatch(
      /^6 h 14 min 30 s \(22470 s\), from the first of these lines \[1\] to the second \[2\]:\n- Mar 17 09:15:30/,
    );
    expect(citations).toHaveLength(2);
  });

  it.each<[question: string, first: string]>([
    ['How long did the import of the parts take?', '8 min 5 s (485 s), as this line states [1]:'],
    ['How long was pump-3 offline?', '12 min (720 s), from the first of these lines to the second:'],
    ['How many messages did ana send?', '2 messages counted, by ana.'],
  ])('computes from the lines that tell: %s', async (question, first) => {
    const cwd = createFolder({
      'plant.log':
        '2026-01-05T08:00:00Z INFO import of parts started\n2026-01-05T08:08:05Z INFO import of parts finished rows=90 failed=2 elapsed=8m5s\n2026-01-05T09:00:00Z WARN pump-3 left the ring\n2026-01-05T09:12:00Z INFO pump-3 joined the ring\n',
      'chat.txt': '[09:01] ana: pump-3?\n[09:02] raj: on it\n[09:13] ana: it is back\n[09:14] raj: yes\n',
    });
    const { answer, usage } = await ask(question, cwd);
    expect(answer!.split('\n')[0]).toBe(first);
    expect(usage.calls).toBe(0);
  });
});
