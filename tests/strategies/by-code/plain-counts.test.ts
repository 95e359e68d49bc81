import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../../src/context/store/store.ts';
import { settleByCode } from '../../../src/strategies/by-code/settle.ts';

const releases = `# Changelog

Follows 2.0 of the format.

## [3.10.0] - 2025-05-01
- Faster sync, needs 1.2.3 of the driver
## [3.9.1] - 2025-04-12
- Fixes
## 3.9.0-beta.2
- Preview
## v3.2.0
- First release
`;

const crew = `14/06/2025, 18:02 - Nadia: who has the key?
14/06/2025, 18:05 - Omar Reyes: me, ask Nadia for the spare
14/06/2025, 18:31 - Omar Reyes: key is back
14/06/2025, 18:40 - Nadia: thanks
14/06/2025, 18:41 - Nadia: see you
14/06/2025, 18:50 - Pip: bye
`;

const app = `import { app } from './app.js';
let state = app.state;
app.state = 'open';
if (app.state === 'open') app.close();
app.state ||= 'closed';
app.close();
// app.state is read later
`;

const auth = `Mar  3 04:10:01 gate sshd[812]: Failed password for root from 198.51.100.7 port 4410 ssh2
Mar  3 04:10:04 gate sshd[812]: Failed password for invalid user admin from 198.51.100.7 port 4412 ssh2
Mar  3 04:10:05 gate sshd[812]: pam_unix(sshd:auth): authentication failure; rhost=198.51.100.7
Mar  3 05:00:00 gate sshd[900]: Accepted publickey for deploy from 192.0.2.4 port 5100 ssh2
Mar  3 05:01:00 gate mailer[77]: delivery to box-9 bounced
Mar  3 05:02:00 gate mailer[77]: delivery to box-4 bounced
`;

const guide = `# Options
\`depth\` Default: \`null\`
\`width\` Default: \`null\`
A \`null\` is never written.
`;

const texts: Readonly<Record<string, string>> = {
  'HISTORY.md': releases,
  'crew.txt': crew,
  'app.js': app,
  'boot.js': "import { app } from './app.js';\napp.run();\n",
  'auth.log': auth,
  'guide.md': guide,
};

async function first(question: string, names: readonly string[]): Promise<string | null> {
  const store = createContextStore(names.map((name) => ({ name, bytes: Buffer.from(texts[name]!) })));
  const answer = await settleByCode({ question, store, leavesWords: false }, new AbortController().signal);
  return answer === null ? null : answer.answer.split('\n')[0]!;
}

describe('a count that is asked for in plain words', () => {
  it.each<[question: string, names: readonly string[], expected: string | null]>([
    ['How many versions does the changelog list?', ['HISTORY.md'], '4 versions counted, in all of the text.'],
    ['how many releases are there', ['HISTORY.md'], '4 versions counted, in all of the text.'],
    ['What is the latest version?', ['HISTORY.md'], '3.10.0 is the latest version.'],
    ["what's the newest release in this file", ['HISTORY.md'], '3.10.0 is the latest version.'],
    ['Which is the oldest version?', ['HISTORY.md'], '3.2.0 is the oldest version.'],
    ['what is the latest version of the driver?', ['HISTORY.md'], null],
    ['How many versions fix the sync?', ['HISTORY.md'], null],
    ['What is the latest version?', ['guide.md'], null],
    ['how many messages did Nadia send?', ['crew.txt'], '3 messages counted, by nadia.'],
    ['How many messages did Omar write', ['crew.txt'], '2 messages counted, by omar reyes.'],
    ['how many messages are from Pip', ['crew.txt'], '1 message counted, by pip.'],
    ['How many messages did Zoe write?', ['crew.txt'], null],
    ['How many people wrote in the chat?', ['crew.txt'], '3 speakers counted.'],
    ['who wrote the most messages?', ['crew.txt'], 'nadia: 3 messages.'],
    ['How many messages are there?', ['crew.txt'], '6 messages counted.'],
    ['how many messages did Nadia send?', ['guide.md'], null],
    ['How many times is app.state assigned?', ['app.js'], '2 lines counted, in all of the text.'],
    ['How often is app.close called?', ['app.js'], '2 lines counted, in all of the text.'],
    ['how many times does app.state appear', ['app.js'], '5 lines counted, in all of the text.'],
    [
      'how many files import "./app.js"?',
      ['app.js', 'boot.js', 'guide.md'],
      '2 documents counted, in all of the text.',
    ],
    ['How many files use app.run?', ['app.js', 'boot.js'], '1 document counted, in all of the text.'],
    ['How many logins failed?', ['auth.log'], '2 lines counted, in all of the text.'],
    ['how many successful logins were there', ['auth.log'], '1 line counted, in all of the text.'],
    ['How many deliveries bounced?', ['auth.log'], '2 lines counted, in all of the text.'],
    ['How many options default to `null`?', ['guide.md'], '2 lines counted, in all of the text.'],
  ])('%s %j', async (question, names, expected) => {
    expect(await first(question, names)).toBe(expected);
  });
});
