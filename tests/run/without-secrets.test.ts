import { expect, it } from 'vitest';
import { ask, createScriptedProvider, RlmError } from '../../src/index.ts';
import type { Provider } from '../../src/providers/provider.ts';
import type { Archive, KeptReply } from '../../src/run/door/archive.ts';
import type { CallIdentity } from '../../src/run/door/call-identity.ts';
import { archiveWithoutSecrets, providerWithoutSecrets } from '../../src/run/without-secrets.ts';
import { createRedactor } from '../../src/secrets/redactor.ts';
import { answerRequest } from '../contracts/sample-requests.ts';

const secret = 'sk-live-4711-0815';
const redactor = createRedactor([secret]);
const { signal } = new AbortController();

const saying = (text: string): Provider => createScriptedProvider(() => text);

it('a reply is redacted, even if its JSON hides the secret, and the request is not', async () => {
  const provider = saying(`{"answer":"${secret} or ${secret.replace('-', '\\u002d')}"}`);
  const request = { ...answerRequest(), messages: [{ role: 'user', content: secret }] } as const;
  const { text } = await providerWithoutSecrets(provider, redactor).call(request, { signal });
  expect(JSON.parse(text)).toEqual({ answer: '[secret] or [secret]' });
  expect(provider).toMatchObject({ requests: [{ messages: [{ content: secret }] }] });
});

it('a failure is redacted', async () => {
  const provider = createScriptedProvider(() => {
    throw new RlmError('rate-limited', `no more for ${secret}`);
  });
  const failed = providerWithoutSecrets(provider, redactor).call(answerRequest(), { signal });
  await expect(failed).rejects.toMatchObject({ code: 'rate-limited', message: 'no more for [secret]' });
});

it('an archive stores no secret, and an earlier one does not come out of it', async () => {
  const kept: unknown[] = [];
  const reply: KeptReply = { text: `It is ${secret}.`, tokens: { input: 1, output: 1 }, finish: 'stop', tries: 1 };
  const call: CallIdentity = {
    place: '0 answer 1',
    prompt: 'answer',
    hash: 'h',
    parts: {},
    question: `Is it ${secret}?`,
  };
  const archive: Archive = {
    name: 'cache',
    replays: false,
    find: async () => reply,
    keep: async (...all) => void kept.push(all),
  };
  const guarded = archiveWithoutSecrets(archive, redactor);
  await guarded.keep(call, reply, true);
  expect(kept).toEqual([[{ ...call, question: 'Is it [secret]?' }, { ...reply, text: 'It is [secret].' }, true]]);
  expect(await guarded.find(call)).toEqual({ ...reply, text: 'It is [secret].' });
});

it('the library resolves and rejects without the secrets of the given environment', async () => {
  const env = { MY_TOKEN: secret };
  const provider = saying(JSON.stringify({ error: `not what was asked for: ${secret}` }));
  const documents = [{ name: 'a.md', text: 'The pool ran out.' }];
  const result = await ask(`Why ${secret}?`, { env, provider, documents });
  expect(result).toMatchObject({ task: 'Why [secret]?', error: { code: 'reply-unusable' } });
  expect(JSON.stringify(result)).not.toContain(secret);
  const rejected = ask('Why?', { env, provider, paths: [`${secret}.md`] });
  await expect(rejected).rejects.toMatchObject({ message: expect.stringContaining('[secret].md') });
});
