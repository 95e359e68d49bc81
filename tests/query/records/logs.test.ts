import { describe, expect, it } from 'vitest';
import { rowsOf, run } from '../support.ts';

const service = `2026-03-17T12:50:01.765Z INFO  checkout-6 outbox: published events=243 topic=orders.v2 lag_ms=31
2026-03-17T12:50:07.000Z WARN  [main] com.shop.Pool - slow query="select 1" took=1.5
2026-03-17T13:50:08+01:00 ERROR Failed to send
java.io.IOException: broken pipe
    at com.shop.Mail.send(Mail.java:10)
2026-03-17 12:50:09,120 DEBUG sent {"id":7,"to":["a","b"]}
`;

describe('logs', () => {
  it('have the program of syslog as the source, whatever the message begins with', async () => {
    const lines = [
      'sshd[1]: Accepted',
      'sshd[2]: error: kex: closed',
      'sshd[3]: fatal: Timeout',
      'cron: (root) no error',
    ];
    const text = lines.map((line, at) => `Nov 10 09:00:0${at} harbour ${line}\n`).join('');
    expect(await rowsOf('select level, source, message from log', { 'auth.log': text })).toEqual([
      [null, 'sshd', 'Accepted'],
      ['error', 'sshd', 'kex: closed'],
      ['fatal', 'sshd', 'Timeout'],
      [null, 'cron', '(root) no error'],
    ]);
  });

  it('have the name between dashes as the source, as the documentation of Python writes it', async () => {
    const text = '2025-08-02 08:04:43,653 - obd - WARNING - oil low\n2025-08-02 08:04:44,653 - lift - INFO - up\n';
    expect(await rowsOf('select level, source, message from log', { 'a.log': text })).toEqual([
      ['WARNING', 'obd', 'oil low'],
      ['INFO', 'lift', 'up'],
    ]);
  });

  it('have times with AM and PM after any date, and zones of hours', async () => {
    const times = ['2025-07-01 12:05:00 AM', '2025-07-01 01:00:00 p.m.', '2025-07-01 11:00:00PM', '1 Jul 2025 1:00 PM'];
    const zoned = ['2025-10-26 02:50:00.123+02', '2025-10-26 02:20:00+01', '2025-10-26 02:20:00-03:30'];
    const text = [...times, ...zoned].map((time) => `${time} WARN kiln: hot\n`).join('');
    expect(await rowsOf('select substr(time, 9, 8), source from log', { 'a.log': text })).toEqual(
      ['01T00:05', '01T13:00', '01T23:00', '01T13:00', '26T00:50', '26T01:20', '26T05:50'].map((time) => [
        time,
        'kiln',
      ]),
    );
  });

  it('have a word that is alone in its line as the message, not as the source', async () => {
    const words = ['E1042', 'E1042:', '[E1042]', 'ORA-00060', 'ECONNRESET', 'main.ts: lost'];
    const text = words.map((word, at) => `2026-11-10T09:00:0${at}Z ERROR ${word}\n    at Server.handle (a.js:1:5)\n`);
    const rows = await rowsOf('select source, message from log', { 'a.log': text.join('') });
    const frame = '\n    at Server.handle (a.js:1:5)';
    expect(rows).toEqual([...words.slice(0, 5).map((word) => [null, `${word}${frame}`]), ['main.ts', `lost${frame}`]]);
    const alone = await rowsOf('select source, message from log', { 'a.log': text.join('').replaceAll(frame, '') });
    expect(alone.slice(0, 5)).toEqual(words.slice(0, 5).map((word) => [null, word]));
  });

  it('recognise a level in small letters at the place of a level', async () => {
    const lines = [
      'Finished without error',
      '[error] disk',
      'nginx: warning: slow',
      '4711 info: up',
      'Timeout ERROR in x',
    ];
    const text = lines.map((line, at) => `2026-11-10T09:00:0${at}Z ${line}\n`).join('');
    const levels = await rowsOf('select level from log', { 'a.log': text });
    expect(levels.flat()).toEqual([null, 'error', 'warning', 'info', 'ERROR']);
  });

  it.each(['app.log.old', 'catalina.out', 'service.err', 'app.log.1', 'app.log.bak.gz'])('are in %s', async (name) => {
    const timed = '2025-01-01T09:00:00Z ERROR a\n2025-01-01T10:00:00Z INFO b\n';
    const logfmt = 'time=2025-01-01T09:00:00Z level=error msg=a\ntime=2025-01-01T10:00:00Z level=info msg=b\n';
    const json = logfmt
      .replace(/(\w+)=(\S+)/g, '"$1":"$2",')
      .replace(/^(.*),$/gm, '{$1}')
      .replaceAll('" "', '" "');
    for (const text of [timed, logfmt, json.replaceAll(', "', ',"')])
      expect(await rowsOf('select lower(level), message from log', { [name]: text })).toEqual([
        ['error', 'a'],
        ['info', 'b'],
      ]);
  });

  it('have the names of levels of RFC 5424', async () => {
    const text = '[2025-01-01T09:00:00Z] app.EMERGENCY: no database\n[2025-01-01T10:00:00Z] app.ERROR: second\n';
    expect(await rowsOf('select level, source, message from log', { 'a.log': text })).toEqual([
      ['EMERGENCY', 'app', 'no database'],
      ['ERROR', 'app', 'second'],
    ]);
  });

  it('have time, level, source, message and fields', async () => {
    const rows = await rowsOf('select line, time, level, source, message, fields from log', { 'a.log': service });
    expect(rows).toEqual([
      [
        1,
        '2026-03-17T12:50:01.765Z',
        'INFO',
        'checkout-6',
        'outbox: published events=243 topic=orders.v2 lag_ms=31',
        '{"events":243,"topic":"orders.v2","lag_ms":31}',
      ],
      [
        2,
        '2026-03-17T12:50:07.000Z',
        'WARN',
        'main',
        'com.shop.Pool - slow query="select 1" took=1.5',
        '{"query":"select 1","took":1.5}',
      ],
      [
        3,
        '2026-03-17T12:50:08.000Z',
        'ERROR',
        null,
        'Failed to send\njava.io.IOException: broken pipe\n    at com.shop.Mail.send(Mail.java:10)',
        null,
      ],
      [6, '2026-03-17T12:50:09.120Z', 'DEBUG', null, 'sent {"id":7,"to":["a","b"]}', '{"id":7,"to":["a","b"]}'],
    ]);
  });

  it('keep quotation marks within a quoted value', async () => {
    const text = String.raw`ts=2026-03-17T10:00:00Z level=info msg="say \"hi\" now" path="C:\new"`;
    const rows = await rowsOf("select message, fields ->> 'path' from log", { 'a.log': `${text}\n${text}\n` });
    expect(rows[0]).toEqual(['say "hi" now', String.raw`C:\new`]);
  });

  it.each([
    ['total=1,200.50 items=3', '{"total":"1,200.50","items":3}'],
    ['temp=21,5, humidity=40', '{"temp":"21,5","humidity":40}'],
    ['a=1,b=2;c=3 (z=4) list=1,2,3', '{"a":1,"b":2,"c":3,"z":4,"list":"1,2,3"}'],
    ['one ms=7, two ms=80, id=a, id=a', '{"ms":[7,80],"id":"a"}'],
  ])('have a whole value for each key: %s', async (text, fields) => {
    const line = `2026-05-01T10:00:00Z INFO pos: sale ${text}\n`;
    expect(await rowsOf('select fields from log', { 'a.log': `${line}${line}` })).toEqual([[fields], [fields]]);
  });

  it('keep the time as it is written, and allow computing with fields', async () => {
    expect(
      await rowsOf("select timeText, fields ->> 'events' + 1 from log where line in (1, 3)", { 'a.log': service }),
    ).toEqual([
      ['2026-03-17T12:50:01.765Z', 244],
      ['2026-03-17T13:50:08+01:00', null],
    ]);
  });

  it('count lines above the first time, which only lines has', async () => {
    const text = `starting\n${service}`;
    const { rows, notes } = await run('select count(*) from log', { 'a.log': text });
    expect(rows).toEqual([[4]]);
    expect(notes).toEqual([expect.stringMatching(/^log lacks 1 row .*line 1 of a\.log/)]);
    expect(await rowsOf("select number from lines where text = 'starting'", { 'a.log': text })).toEqual([[1]]);
  });

  it('of syslog get the year of the other documents', async () => {
    const syslog = `Mar 17 13:42:26 web-1 sshd[812]: Accepted publickey for ana
Mar 17 13:42:27 web-1 kernel: [12.5] oom-killer: gfp_mask=0x0
`;
    const other = { 'b.log': '2026-03-17 10:00:00 INFO up\n2026-03-17 10:00:01 INFO ready\n' };
    const sql = "select time, source, message from log where document = 'syslog'";
    expect(await rowsOf(sql, { syslog, ...other })).toEqual([
      ['2026-03-17T13:42:26.000Z', 'sshd', 'Accepted publickey for ana'],
      ['2026-03-17T13:42:27.000Z', 'kernel', '[12.5] oom-killer: gfp_mask=0x0'],
    ]);
    const { rows, notes } = await run('select min(time) from log', { syslog });
    expect(rows).toEqual([['0000-03-17T13:42:26.000Z']]);
    expect(notes).toEqual([expect.stringContaining('0000')]);
  });

  it('in JSON and of journald have all keys in fields', async () => {
    const app = `{"ts":"2026-03-17T12:00:00.5Z","level":"warn","logger":"pool","msg":"slow","ms":812}
{"ts":"2026-03-17T12:00:01Z","level":"info","logger":"pool","msg":"ok","ms":3}
`;
    const pino = `{"level":30,"time":1773748800000,"pid":1,"msg":"hello","name":"api"}
{"level":50,"time":1773748801000,"pid":1,"msg":"bad","name":"api"}
`;
    const journal = `{"__REALTIME_TIMESTAMP":"1773748800123456","PRIORITY":"3","SYSLOG_IDENTIFIER":"sshd","MESSAGE":"error: kex"}
{"__REALTIME_TIMESTAMP":"1773748801000000","PRIORITY":"6","SYSLOG_IDENTIFIER":"cron","MESSAGE":"run"}
`;
    const sql = 'select time, level, source, message from log order by document, line';
    expect(await rowsOf(sql, { 'app.jsonl': app, 'journal.json': journal, 'pino.log': pino })).toEqual([
      ['2026-03-17T12:00:00.500Z', 'warn', 'pool', 'slow'],
      ['2026-03-17T12:00:01.000Z', 'info', 'pool', 'ok'],
      ['2026-03-17T12:00:00.123Z', 'ERR', 'sshd', 'error: kex'],
      ['2026-03-17T12:00:01.000Z', 'INFO', 'cron', 'run'],
      ['2026-03-17T12:00:00.000Z', 'INFO', 'api', 'hello'],
      ['2026-03-17T12:00:01.000Z', 'ERROR', 'api', 'bad'],
    ]);
    expect(await rowsOf("select sum(fields ->> 'ms') from log", { 'app.jsonl': app })).toEqual([[815]]);
  });

  it('of Apache and nginx are read as access logs', async () => {
    const access = `192.0.2.1 - frank [10/Oct/2025:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326
shop.example:443 192.0.2.2 - - [10/Oct/2025:20:55:37 +0000] "POST /a?b=\\"c\\" HTTP/1.1" 503 - "https://x.example/" "Mozilla/5.0 (X11)" 0.012
not an entry
`;
    const { rows, notes } = await run(
      'select time, timeText, host, client, user, method, path, status, bytes, referrer, agent, rest from access',
      { 'access.log.1': access },
    );
    expect(rows).toEqual([
      [
        '2025-10-10T20:55:36.000Z',
        '10/Oct/2025:13:55:36 -0700',
        null,
        '192.0.2.1',
        'frank',
        'GET',
        '/apache_pb.gif',
        200,
        2326,
        null,
        null,
        null,
      ],
      [
        '2025-10-10T20:55:37.000Z',
        '10/Oct/2025:20:55:37 +0000',
        'shop.example:443',
        '192.0.2.2',
        null,
        'POST',
        '/a?b=\\"c\\"',
        503,
        null,
        'https://x.example/',
        'Mozilla/5.0 (X11)',
        '0.012',
      ],
    ]);
    expect(notes).toHaveLength(1);
  });

  it('of dpkg and apt are read', async () => {
    const dpkg = `2026-02-01 06:12:01 startup archives unpack
2026-02-01 06:12:02 install libssl3:amd64 <none> 3.0.15-1
2026-02-01 06:12:03 upgrade bash:amd64 5.2.15-2 5.2.15-3
2026-02-01 06:12:04 status installed bash:amd64 5.2.15-3
2026-02-30 06:12:05 remove nano:amd64 7.2-1 <none>
`;
    const apt = `
Start-Date: 2026-02-02  07:00:01
Commandline: apt-get install htop
Requested-By: ana (1000)
Install: htop:amd64 (3.2.2-2), libnl-3-200:amd64 (3.7.0, automatic)
Upgrade: curl:amd64 (7.88.1-10, 7.88.1-12)
End-Date: 2026-02-02  07:00:09
`;
    const sql = 'select time, action, package, oldVersion, newVersion, command from packages order by document, line';
    expect(await rowsOf(sql, { 'dpkg.log': dpkg, 'history.log': apt })).toEqual([
      ['2026-02-01T06:12:01.000Z', 'startup', null, null, null, 'archives unpack'],
      ['2026-02-01T06:12:02.000Z', 'install', 'libssl3', null, '3.0.15-1', null],
      ['2026-02-01T06:12:03.000Z', 'upgrade', 'bash', '5.2.15-2', '5.2.15-3', null],
      ['2026-02-01T06:12:04.000Z', 'status installed', 'bash', null, '5.2.15-3', null],
      [null, 'remove', 'nano', '7.2-1', null, null],
      ['2026-02-02T07:00:01.000Z', 'install', 'htop', null, '3.2.2-2', 'apt-get install htop'],
      ['2026-02-02T07:00:01.000Z', 'install', 'libnl-3-200', null, '3.7.0', 'apt-get install htop'],
      ['2026-02-02T07:00:01.000Z', 'upgrade', 'curl', '7.88.1-10', '7.88.1-12', 'apt-get install htop'],
    ]);
  });
});
