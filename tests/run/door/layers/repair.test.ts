import { describe, expect, it } from 'vitest';
import { RlmError } from '../../../../src/errors.ts';
import type { ParsedObtained } from '../../../../src/run/door/layer.ts';
import { repair } from '../../../../src/run/door/layers/ask-again.ts';
import { modelNamed, questionTo, said, unread } from '../../../support/door.ts';

function ask(...replies: readonly (ParsedObtained | Error)[]) {
  const failed: unknown[] = [];
  const next = repair(async (question) => {
    failed.push(question.failed);
    const reply = replies[failed.length - 1]!;
    if (reply instanceof Error) throw reply;
    return reply;
  });
  return { reply: next(questionTo(modelNamed('a'))), failed };
}

const partial = { reply: 'half' } as never;
const cut = unread('cut off', { parsed: { class: 'failed', problem: 'cut off', partial } });

describe('a reply that cannot be read', () => {
  it('is requested once more, with the error', async () => {
    const { reply, failed } = ask(unread('no answer'), said('good'));
    expect((await reply).reply.text).toBe('good');
    expect(failed).toEqual([null, { text: 'what?', problem: 'no answer' }]);
  });

  it('is an error the second time, or when no call is left', async () => {
    await expect(ask(unread('no'), unread('still not')).reply).rejects.toThrow('still not');
    const none = new RlmError('limit-calls', 'none left');
    await expect(ask(unread('no'), none).reply).rejects.toMatchObject({ code: 'reply-unusable' });
    await expect(ask(unread('no'), new RlmError('interrupted', 'stop')).reply).rejects.toThrow('stop');
  });

  it('is used as far as it goes if it was cut off', async () => {
    const half = { parsed: { reply: { reply: 'half' }, isCut: true } };
    expect(await ask(cut, unread('no')).reply).toMatchObject(half);
    const silent = ask({ ...cut, reply: { ...cut.reply, cutShort: true } });
    expect(await silent.reply).toMatchObject(half);
    expect(silent.failed).toHaveLength(1);
    for (const code of ['limit-time', 'call-timeout', 'provider-failed'] as const)
      expect(await ask(cut, new RlmError(code, 'no')).reply).toMatchObject(half);
  });

  it.each([
    ['an interruption', new RlmError('interrupted', 'stop')],
    ['the end of the terminal', new RlmError('hung-up', 'stop')],
    ['a bug', new RlmError('internal', 'stop')],
    ['a bug that is thrown as it is', new TypeError('stop')],
  ])('is not used in part after %s', async (_, error) => {
    await expect(ask(cut, error).reply).rejects.toBe(error);
  });
});
