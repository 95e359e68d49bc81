import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../../src/context/store/store.ts';
import { answerByDuration } from '../../../src/strategies/by-code/duration-answer.ts';

const bakery = `2025-03-01 05:00:00 INFO oven-2 preheat started target=230
2025-03-01 05:12:30 INFO oven-2 preheat finished
2025-03-01 05:13:00 INFO line-1 batch B-17 started loaves=400
2025-03-01 05:40:00 WARN line-1 conveyor paused reason=jam
2025-03-01 05:41:10 INFO line-1 sensor check ok
2025-03-01 05:44:20 INFO line-1 conveyor resumed
2025-03-01 06:02:00 INFO line-1 batch B-17 finished loaves=397 failed=3 elapsed=49m
2025-03-01 06:10:00 ERROR mixer-3 lost connection
2025-03-01 06:10:05 ERROR line-1 no dough from mixer-3
2025-03-01 06:18:30 INFO mixer-3 back online
2025-03-01 07:00:00 ERROR line-1 no dough from mixer-1
`;

const club = `14/06/2025, 18:02 - Nadia: the hall is locked again
14/06/2025, 18:05 - Omar: will start the inventory at 19:00
14/06/2025, 18:31 - Omar: inventory started, two of us
14/06/2025, 18:40 - Nadia: hall unlocked
14/06/2025, 20:16 - Omar: inventory done, 412 items
15/06/2025, 09:00 - Nadia: painting the fence took 3 hours 20 minutes
`;

const ci = `[23:58:10] Restoring the cache started
[23:58:40] Restoring the cache done
[23:59:30] Docs generation started
[00:01:00] Docs generation finished
Lint finished in 1m05s
Unit tests completed in 00:04:10
Packaging took 812 ms
`;

const gradle = `2025-09-02 01:00:00.000 > Task :app:compileDebugKotlin
2025-09-02 01:03:10.000 emulator booted in 34 s
2025-09-02 01:04:00.000 Build cache restored in 2 s
2025-09-02 01:11:30.000 Uploading symbols to the archive
2025-09-02 01:11:37.500 Uploaded 14 symbols
2025-09-02 01:12:03.000 BUILD SUCCESSFUL in 12m 3s
`;

const gate = `Mar  3 04:00:00 gate systemd[1]: Stopping nginx - web server...
Mar  3 04:00:07 gate systemd[1]: Started nginx - web server.
Mar  3 04:10:00 gate fail2ban: Ban 198.51.100.7
Mar  3 04:20:00 gate fail2ban: Unban 198.51.100.7
Mar  3 05:00:00 gate sshd[1]: Failed password for root from 203.0.113.99
Mar  3 05:02:30 gate sshd[1]: Failed password for root from 203.0.113.99
Mar  3 06:00:00 gate sshd[900]: pam_unix(sshd:session): session opened for user deploy
Mar  3 06:31:00 gate sshd[900]: pam_unix(sshd:session): session closed for user deploy
Mar  3 07:00:00 gate backup: backup finished files=12 time=92.4s
`;

const yard = `2025-10-01 10:00:00 smoke alarm in hall 2
2025-10-01 10:02:00 sprinklers started in hall 2
2025-10-01 10:09:00 fire brigade has arrived at the gate
2025-10-01 10:18:00 all-clear given by the brigade
`;

const edge = `2025-11-01 08:00:00 WARN edge-1 host web-3 ejected after 5 failures
2025-11-01 08:00:30 INFO edge-1 access upstream=web-3 status=200
2025-11-01 08:06:00 INFO edge-1 host web-3 readmitted
2025-11-01 09:00:00 INFO deploy C-7 rollout started
2025-11-01 09:05:00 INFO deploy C-7 rollout finished
2025-11-01 09:06:30 ERROR orders: order failed
2025-11-01 10:00:00 WARN disk of db-2 is read-only
2025-11-01 10:20:00 INFO db-2 read-only flag cleared
`;

const depot = `[09:00] Ida: gate is closed, ice on the ramp
[09:05] Pau: scanner 2 is broken, no beep
[09:10] Pau: will start unloading the truck when the gate opens
[09:25] Ida: gate is open
[09:30] Pau: unloading the truck now, started
[10:10] Pau: truck unloaded
[10:15] Ida: scanner 2 works again
`;

async function first(question: string, name: string, text: string): Promise<string | null> {
  const store = createContextStore([{ name, bytes: Buffer.from(text) }]);
  const answer = await answerByDuration(question, store, new AbortController().signal);
  return answer === null ? null : answer.answer.split('\n')[0]!;
}

describe('how long something took', () => {
  it.each<[name: string, text: string, question: string, expected: string | null]>([
    [
      'bakery.log',
      bakery,
      'How long did the preheat of oven-2 take?',
      '12 min 30 s (750 s), from the first of these lines to the second:',
    ],
    ['bakery.log', bakery, 'how long did batch B-17 run', '49 min (2940 s), as this line states [P1]:'],
    [
      'bakery.log',
      bakery,
      'How long was the conveyor paused?',
      '4 min 20 s (260 s), from the first of these lines to the second:',
    ],
    [
      'bakery.log',
      bakery,
      'how long was mixer-3 offline?',
      '8 min 30 s (510 s), from the first of these lines to the second:',
    ],
    ['bakery.log', bakery, 'How long was mixer-1 offline?', null],
    [
      'bakery.log',
      bakery,
      'How much time passed between the first and the last ERROR?',
      '50 min (3000 s), from the first of these lines to the second:',
    ],
    ['bakery.log', bakery, 'How long did batch B-99 take?', null],
    ['bakery.log', bakery, 'How long does a batch take?', null],
    ['bakery.log', bakery, 'How long did the cleaning take?', null],
    [
      'club.txt',
      club,
      'how long did the inventory take',
      '1 h 45 min (6300 s), from the first of these lines to the second:',
    ],
    [
      'club.txt',
      club,
      'How long was the hall locked?',
      '38 min (2280 s), from the first of these lines to the second:',
    ],
    ['club.txt', club, 'How long did painting the fence take?', '3 h 20 min (12000 s), as this line states [P1]:'],
    ['ci.log', ci, 'How long did it take to restore the cache?', '30 s, from the first of these lines to the second:'],
    [
      'ci.log',
      ci,
      'how long did docs generation take',
      '1 min 30 s (90 s), from the first of these lines to the second:',
    ],
    ['ci.log', ci, 'How long did lint take?', '1 min 5 s (65 s), as this line states [P1]:'],
    ['ci.log', ci, 'how long did the unit tests take?', '4 min 10 s (250 s), as this line states [P1]:'],
    ['ci.log', ci, 'How long did packaging take?', '0.812 s, as this line states [P1]:'],
    [
      'gradle-nightly.log',
      gradle,
      'How long did the nightly build take?',
      '12 min 3 s (723 s), as this line states [P1]:',
    ],
    ['gradle-nightly.log', gradle, 'How long did the emulator take to boot?', '34 s, as this line states [P1]:'],
    [
      'gradle-nightly.log',
      gradle,
      'how long did it take to upload the symbols?',
      '7.5 s, from the first of these lines to the second:',
    ],
    [
      'depot.txt',
      depot,
      'How long was the gate closed?',
      '25 min (1500 s), from the first of these lines to the second:',
    ],
    [
      'depot.txt',
      depot,
      'how long was the scanner broken?',
      '1 h 10 min (4200 s), from the first of these lines to the second:',
    ],
    [
      'depot.txt',
      depot,
      'How long did unloading the truck take?',
      '40 min (2400 s), from the first of these lines to the second:',
    ],
    [
      'edge.log',
      edge,
      'How long did edge-1 keep web-3 ejected?',
      '6 min (360 s), from the first of these lines to the second:',
    ],
    [
      'edge.log',
      edge,
      'How much time lay between the end of the C-7 rollout and the first failed order?',
      '1 min 30 s (90 s), from the first of these lines to the second:',
    ],
    ['edge.log', edge, 'how long was db-2 read-only', '20 min (1200 s), from the first of these lines to the second:'],
    ['gate.log', gate, 'How long did nginx take to restart?', '7 s, from the first of these lines to the second:'],
    [
      'gate.log',
      gate,
      'how long was 198.51.100.7 banned?',
      '10 min (600 s), from the first of these lines to the second:',
    ],
    [
      'gate.log',
      gate,
      'How long did the attack from 203.0.113.99 last?',
      '2 min 30 s (150 s), from the first of these lines to the second:',
    ],
    [
      'gate.log',
      gate,
      "How long did deploy's session last?",
      '31 min (1860 s), from the first of these lines to the second:',
    ],
    [
      'gate.log',
      gate,
      'How long was deploy logged in?',
      '31 min (1860 s), from the first of these lines to the second:',
    ],
    ['gate.log', gate, 'How long did the backup run?', '1 min 32 s (92.4 s), as this line states [P1]:'],
    [
      'depot.txt',
      depot,
      'How long did it take to fix the scanner?',
      '1 h 10 min (4200 s), from the first of these lines to the second:',
    ],
    [
      'depot2.log',
      yard,
      'How long between the first alarm and the all-clear?',
      '18 min (1080 s), from the first of these lines to the second:',
    ],
    [
      'depot2.log',
      yard,
      'How long did it take until the fire brigade arrived after the alarm?',
      '9 min (540 s), from the first of these lines to the second:',
    ],
    [
      'depot2.log',
      yard,
      'How many minutes after the alarm did the sprinklers start?',
      '2 min (120 s), from the first of these lines to the second:',
    ],
    ['depot2.log', yard, 'How long between the alarm and the flood?', null],
    ['guide.md', '# Guide\nThe import took 3 minutes.\n', 'How long did the import take?', null],
  ])('%s %#: %s', async (name, text, question, expected) => {
    expect(await first(question, name, text)).toBe(expected);
  });
});
