/** The output of a failing build. */
export const buildLog = `> acme-web@4.2.0 build
> tsc -b && vite build && node scripts/postbuild.mjs

[10:02:11] Installing dependencies with npm ci
[10:02:31] added 812 packages in 19.8s
[10:02:31] found 0 vulnerabilities
[10:02:32] Running typecheck
[10:02:40] packages/core: ok
[10:02:51] ERROR packages/api: src/client.ts(48,17): error TS2345: Argument of type 'string | undefined' is not assignable.
[10:02:51] packages/api: typecheck failed because process.env.API_URL may be undefined since commit 4f2a91c removed it
[10:03:10] PASS packages/core/tests/url.test.ts (12 tests)
[10:03:20] FAIL packages/api/tests/client.test.ts
[10:03:20]     TypeError: Failed to parse URL from undefined/users
[10:03:21] Tests: 1 failed, 43 passed, 44 total
[10:03:31] lint finished with 0 errors
[10:03:32] Build failed with exit code 1
`;

/** The log of an incident. */
export const incidentLog = `2026-03-12T09:14:02Z INFO  api-gateway started version=2.18.0
2026-03-12T09:20:11Z INFO  orders deployed by Maria Keller version=5.4.1
2026-03-12T09:41:07Z WARN  db-primary connection pool at 85% (170/200)
2026-03-12T09:45:03Z ERROR orders: timeout acquiring connection after 5000ms
2026-03-12T09:45:04Z ERROR checkout: upstream orders returned 503
2026-03-12T09:45:09Z ERROR api-gateway: circuit breaker opened for checkout
2026-03-12T09:46:00Z INFO  pagerduty alert INC-3391 acknowledged by Tom Okafor
2026-03-12T09:58:30Z INFO  analysis: orders 5.4.1 leaks a connection on every retry because the finally block was removed
2026-03-12T10:01:12Z INFO  orders rolled back to version=5.4.0 by Tom Okafor
2026-03-12T10:04:02Z INFO  checkout: recovered, error rate 0.1%
2026-03-12T10:30:00Z INFO  incident INC-3391 closed; 1,204 orders affected, 0 lost
`;

/** A source file. */
export const typescript = `import { setTimeout } from 'node:timers/promises';

const shortestDelay = 500;
const longestDelay = 8000;

/** Retries what failed for a temporary reason, at most that often. */
export async function withRetry<T>(call: () => Promise<T>, tries: number): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      // A refused credential stays refused.
      if (attempt >= tries || !isPassing(error)) throw error;
      await setTimeout(Math.min(shortestDelay * 2 ** attempt, longestDelay));
    }
  }
}
`;

/** Wrapped English prose with headings. */
export const prose = `# The lighthouse at Corran Point

The lighthouse was built in 1871 from granite that was quarried on the island. Its lantern was
designed by Ada Brandt, who had worked on the docks at Leith. For sixty years it was the
brightest on the coast.

## Later years

The keepers left in 1934. The lighthouse was abandoned because the harbour had silted up and no
ships called any more. Since then sheep have sheltered in it.

- The stairs have 112 steps.
- The lantern room is closed.
`;

/** A German report. */
export const german = `Bericht über die Störung vom 3. Mai
Um 9:40 Uhr meldete die Überwachung langsame Antworten. Die Datenbank ist um 9:52 Uhr ausgefallen, weil die Festplatte voll war.
Die Techniker haben alte Protokolle gelöscht. Um 10:15 Uhr liefen alle Dienste wieder.
`;

/** A Chinese report. */
export const chinese = `事故报告。上午九点监控系统发现响应变慢。数据库在九点五十二分崩溃，因为磁盘已满。
运维团队删除了旧日志。十点十五分所有服务恢复正常。
`;
