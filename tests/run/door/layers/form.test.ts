import { expect, it } from 'vitest';
import { RlmError } from '../../../../src/errors.ts';
import type { Ability } from '../../../../src/run/door/layer.ts';
import { form } from '../../../../src/run/door/layers/form.ts';
import { modelNamed, questionTo, said } from '../../../support/door.ts';

const assess = { prompt: 'assess', variables: {} } as never;

function ask(error: RlmError, isRecorded = false) {
  const [forms, learnt]: [string[], Ability[]] = [[], []];
  const knownModels = {
    lacks: (_: unknown, ability: Ability) => learnt.includes(ability),
    recordLack: (_: unknown, ability: Ability) => void learnt.push(ability),
  } as never;
  const next = form(
    { knownModels },
    async () => isRecorded,
  )(async (question) => {
    forms.push(question.form);
    if (question.form === 'json') throw error;
    return said('fine');
  });
  return { reply: next(questionTo(modelNamed('a'), { input: assess })), forms, learnt };
}

it('asks in a simpler form if the server refuses one, and remembers it', async () => {
  const { reply, forms, learnt } = ask(new RlmError('request-refused', 'unknown field response_format'));
  expect((await reply).reply.text).toBe('fine');
  expect(forms).toEqual(['json', 'labelled']);
  expect(learnt).toEqual(['structuredOutput']);
});

it('asks in the form of the recorded call', async () => {
  const missing = new RlmError('call-not-recorded', 'not there');
  expect(await ask(missing, true).reply).toMatchObject({ reply: { text: 'fine' } });
  await expect(ask(missing).reply).rejects.toBe(missing);
});

it('passes on other failures', async () => {
  await expect(ask(new RlmError('request-refused', 'too many messages')).reply).rejects.toThrow('too many messages');
});
