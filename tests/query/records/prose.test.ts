import { describe, expect, it } from 'vitest';
import { rowsOf, run } from '../support.ts';

describe('mail', () => {
  it('reads an mbox', async () => {
    const mbox = `From ana@x.example Tue Mar 17 13:42:26 2026
From: Ana Müller <ana@x.example>
To: bo@x.example,
 cy@x.example
Date: Tue, 17 Mar 2026 13:42:26 +0100
Subject: Lunch
Message-ID: <1@x.example>

Hi,
>From now on at noon.

From bo@x.example Tue Mar 17 14:00:00 2026
From: bo@x.example
Date: Tue, 17 Mar 2026 14:00:00 +0100
Subject: Re: Lunch
In-Reply-To: <1@x.example>

Yes.
`;
    expect(
      await rowsOf('select line, time, sender, recipients, subject, inReplyTo, text from mail', { 'list.mbox': mbox }),
    ).toEqual([
      [
        1,
        '2026-03-17T12:42:26.000Z',
        'Ana Müller <ana@x.example>',
        'bo@x.example, cy@x.example',
        'Lunch',
        null,
        'Hi,\nFrom now on at noon.',
      ],
      [12, '2026-03-17T13:00:00.000Z', 'bo@x.example', null, 'Re: Lunch', '<1@x.example>', 'Yes.'],
    ]);
  });
});

describe('changelogs', () => {
  it("reads Debian's", async () => {
    const text = `bash (5.2.15-3) unstable; urgency=medium

  [ Ana M ]
  * Fix a crash when a long
    line wraps.
  * New upstream.

 -- Ana M <ana@x.example>  Tue, 17 Mar 2026 12:00:00 +0100

bash (5.2.15-2) unstable; urgency=low

  * First.

 -- Bo <bo@x.example>  Mon, 02 Feb 2026 08:00:00 +0000
`;
    expect(
      await rowsOf('select line, time, package, version, section, author, text from changes', { changelog: text }),
    ).toEqual([
      [
        4,
        '2026-03-17T11:00:00.000Z',
        'bash',
        '5.2.15-3',
        'Ana M',
        'Ana M <ana@x.example>',
        'Fix a crash when a long line wraps.',
      ],
      [6, '2026-03-17T11:00:00.000Z', 'bash', '5.2.15-3', 'Ana M', 'Ana M <ana@x.example>', 'New upstream.'],
      [12, '2026-02-02T08:00:00.000Z', 'bash', '5.2.15-2', null, 'Bo <bo@x.example>', 'First.'],
    ]);
  });

  it('reads those with a heading for each release', async () => {
    const text = `# Changelog

## [Unreleased]

- Soon

## [1.2.0] - 2026-03-17

### Added

- A command that
  queries
- Tests

### Fixed
1. A bug

## 1.1.0 (2025-12-01)

* Older
`;
    expect(await rowsOf('select line, time, version, section, text from changes', { 'CHANGELOG.md': text })).toEqual([
      [5, null, 'Unreleased', null, 'Soon'],
      [11, '2026-03-17T00:00:00.000Z', '1.2.0', 'Added', 'A command that queries'],
      [13, '2026-03-17T00:00:00.000Z', '1.2.0', 'Added', 'Tests'],
      [16, '2026-03-17T00:00:00.000Z', '1.2.0', 'Fixed', 'A bug'],
      [20, '2025-12-01T00:00:00.000Z', '1.1.0', null, 'Older'],
    ]);
  });

  it.each([
    ['## 2.0.0 / 2025-04-01', '2025-04-01'],
    ['## 2.0.0 - April 1st, 2025', 'April 1st, 2025'],
    ['## 2.0.0 — 1 Apr 2025', '1 Apr 2025'],
    ['2.0.0 (2025/04/01)\n------------------', '2025/04/01'],
  ])('reads the date of %j', async (heading, written) => {
    const texts = { 'CHANGELOG.md': `# Changes\n\n## 2.1.0\n\n- New\n\n${heading}\n\n- Old\n` };
    const time = '2025-04-01T00:00:00.000Z';
    expect(await rowsOf('select version, time, timeText from releases', texts)).toEqual([
      ['2.1.0', null, null],
      ['2.0.0', time, written],
    ]);
    expect(await rowsOf('select version, time, text from changes', texts)).toEqual([
      ['2.1.0', null, 'New'],
      ['2.0.0', time, 'Old'],
    ]);
  });
});

describe('chats', () => {
  it('may be short and have more notices than messages', async () => {
    const lines = ['Ana created group "Bikes"', 'Ana added Bo', 'Bo joined', 'Ana: hi', 'Bo: no', 'Ana: ok', 'Bo left'];
    const text = lines.map((line, at) => `13/04/2026, 19:0${at} - ${line}\n`).join('');
    expect(await rowsOf('select count(*) from chat', { 'chat.txt': text })).toEqual([[3]]);
  });

  it('are no minutes, in which lines with the same key stand together', async () => {
    const lines = ['Chair: Ann', 'Decision: a', 'Decision: b', 'Action: c', 'Action: d', 'Next: May'];
    const text = lines.map((line) => `${line}\n`).join('');
    await expect(rowsOf('select * from chat', { 'minutes.txt': text })).rejects.toMatchObject({
      code: 'query-invalid',
    });
  });

  it('have messages from telephone numbers, and no notices of the program', async () => {
    const lines = ['Sofia: Hello', '+46 70 123 45 67: I vote no', 'Sofia: ok', 'Messages are encrypted', 'Sofia: bye'];
    const text = lines.map((line, at) => `13/03/25, 09:1${at} - ${line}\n`).join('');
    const found = await run('select line, speaker, text from chat', { 'chat.txt': text });
    expect(found.rows.map((row) => row.slice(0, 3))).toEqual([
      [1, 'Sofia', 'Hello'],
      [2, '+46 70 123 45 67', 'I vote no'],
      [3, 'Sofia', 'ok'],
      [5, 'Sofia', 'bye'],
    ]);
    expect(found.notes.join()).toContain('without a speaker');
  });

  it('has a line without the time that messages have in the message above it', async () => {
    const text =
      '13/03/25, 09:10 - Leo: one\nand a second: with a colon\n13/03/25, 09:11 - Ida: two\n13/03/25, 09:12 - Leo: three\n13/03/25, 09:13 - Ida: four\n13/03/25, 09:14 - Leo: five\n';
    const found = await run('select line, speaker from chat', { 'chat.txt': text });
    expect(found.rows.map(([line, speaker]) => [line, speaker])).toEqual([
      [1, 'Leo'],
      [3, 'Ida'],
      [4, 'Leo'],
      [5, 'Ida'],
      [6, 'Leo'],
    ]);
  });

  it.each([
    ['Ana: hi\nBo Lee: hello\nmore\nAna: bye: now\n', null, null],
    ['[10:02] Ana: hi\n[10:03] Bo Lee: hello\nmore\n[10:03] Ana: bye: now\n', null, '10:02'],
    [
      '17/03/2026, 13:42 - Ana: hi\n17/03/2026, 13:43 - Bo Lee: hello\nmore\n17/03/2026, 13:44 - Ana: bye: now\n',
      '2026-03-17T13:42:00.000Z',
      '17/03/2026, 13:42',
    ],
    ['**Ana:** hi\n**Bo Lee:** hello\nmore\n**Ana:** bye: now\n', null, null],
    [
      '[2026-03-17 13:42] <Ana> hi\n[2026-03-17 13:43] <Bo Lee> hello\nmore\n[2026-03-17 13:44] <Ana> bye: now\n',
      '2026-03-17T13:42:00.000Z',
      '2026-03-17 13:42',
    ],
  ])('are read from %j', async (text, time, timeText) => {
    const texts = { 'chat.txt': text };
    expect(await rowsOf('select line, speaker, text from chat', texts)).toEqual([
      [1, 'Ana', 'hi'],
      [2, 'Bo Lee', 'hello\nmore'],
      [4, 'Ana', 'bye: now'],
    ]);
    expect(await rowsOf('select time, timeText from chat limit 1', texts)).toEqual([[time, timeText]]);
  });

  it.each([
    ['Name: Ana\nAge: 7\nTown: Bern\nStreet: A\n'],
    ['Name: Ana\nAge: 7\nTown: Bern\n\nName: Bo\nTown: Rom\n\nName: Cy\nAge: 9\nTown: Bern\n'],
    [
      'Mar 17 13:42:26 web sshd: a\nMar 17 13:42:26 web cron: b\nMar 17 13:42:27 web sshd: c\nMar 17 13:42:28 web sshd: d\n',
    ],
    ['It is late.\nNote: go home.\nAna went.\n'],
  ])('are not found in %j', async (text) => {
    await expect(run('select * from chat', { 'a.txt': text })).rejects.toMatchObject({ code: 'query-invalid' });
  });
});

describe('headings and front matter', () => {
  it('are both read', async () => {
    const text = `---
title: Leave
tags: [hr, time]
---
# Leave ##

Under
-----

\`\`\`sh
# not a heading
\`\`\`
### Deep
`;
    const texts = { 'leave.md': text };
    expect(await rowsOf('select document, number, level, title from headings', texts)).toEqual([
      ['leave.md', 5, 1, 'Leave'],
      ['leave.md', 7, 2, 'Under'],
      ['leave.md', 13, 3, 'Deep'],
    ]);
    expect(await rowsOf('select path, value, line from paths', texts)).toEqual([
      ['title', 'Leave', 2],
      ['tags[0]', 'hr', 3],
      ['tags[1]', 'time', 3],
    ]);
  });

  it('are not read from fenced code or underlines', async () => {
    const text = '# A\n\n```\ncode\n```\n---\nB\n===\n---\n ```inline```\n\n# C\n';
    expect(await rowsOf('select number, title from headings', { 'a.md': text })).toEqual([
      [1, 'A'],
      [7, 'B'],
      [12, 'C'],
    ]);
  });
});
