import { describe, expect, it } from 'vitest';
import { RlmError } from '../../../../src/errors.ts';
import { fallback } from '../../../../src/run/door/layers/fallback.ts';
import { modelNamed, questionTo, said } from '../../../support/door.ts';

const models = ['first', 'second', 'third'].map((name) => modelNamed(name));
const down = new RlmError('provider-unreachable', 'it is down');

function ask(fails: Readonly<Record<string, RlmError>>, held: readonly string[] = []) {
  const [asked, warnings]: [string[], string[]] = [[], []];
  const warn = (code: string, text: string) => void warnings.push(`${code}: ${text}`);
  const parts = { roster: { models, modelsFor: () => models }, warn };
  const layer = fallback(parts, async ({ model }) => held.includes(model.info.model));
  const next = layer(async ({ model: { info } }) => {
    asked.push(info.model);
    if (fails[info.model] !== undefined) throw fails[info.model];
    return said(info.model);
  });
  return { reply: next(questionTo(models[0]!)), asked, warnings };
}

describe('when a model fails', () => {
  it('the next one is asked, with a warning', async () => {
    const { reply, asked, warnings } = ask({ first: down, second: new RlmError('call-timeout', 'silent') });
    expect((await reply).reply.text).toBe('third');
    expect(asked).toEqual(['first', 'second', 'third']);
    expect(warnings[0]).toMatch(/^model: .*second took over from .*first \(provider-unreachable\)/);
  });

  it('the first failure is thrown when all fail, or when another model cannot help', async () => {
    const other = new RlmError('rate-limited', 'later');
    await expect(ask({ first: down, second: other, third: other }).reply).rejects.toBe(down);
    await expect(ask({ first: new RlmError('limit-calls', 'none left') }).reply).rejects.toThrow('none left');
  });

  it('the one with a recorded reply comes first', async () => {
    const { reply, asked } = ask({}, ['second']);
    await reply;
    expect(asked).toEqual(['second']);
  });
});
