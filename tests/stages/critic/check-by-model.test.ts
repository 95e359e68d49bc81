import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../src/state.ts';
import { type FakeChecker, fakeOnnxPackages } from '../../support/fake-onnx-packages.ts';
import { askScripted, type Script, variables } from '../../support/scripted-run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const answer =
  'The pool had at most 20 places [P1]. A release named 4.2 was put out at night [P2]. The limit was 30 [P1].';
const stages = { planner: 'never', critic: 'never' } as const;

const askChecked = (check: NonNullable<Script['check']>, evidence: object = { check: 'model' }) =>
  askScripted({ answer, check }, { settings: { evidence, stages, strategy: 'direct' } });

const verdicts = ({ claims }: { readonly claims: readonly Claim[] }) =>
  claims.map(({ verdict, support }) => [verdict, support]);

describe('claims that a model checks', () => {
  it('have its word, in a call each from what they cite, but where a rule sees a fault', async () => {
    const { result, of } = await askChecked((request) => ({
      verdict: variables(request, 'check').claim.startsWith('The pool') ? 'YES' : 'NO',
    }));
    expect(verdicts(result)).toEqual([
      ['supported', 0.9],
      ['unsupported', 0.1],
      ['contradicted', expect.any(Number)],
    ]);
    expect(of('check').map(({ claim, passages }) => [claim, passages.map(({ id }) => id)])).toEqual([
      ['The pool had at most 20 places.', ['P1']],
      ['A release named 4.2 was put out at night.', ['P2']],
    ]);
    expect(result.claims[1]!.reason).toMatch(/the checking model says/);
  });

  it('keep the support by their words if the model gives no usable reply, or too few calls are left', async () => {
    const [words, failed] = await Promise.all([askChecked('', { check: 'words' }), askChecked('I would not know.')]);
    expect(words.calls.check).toBeUndefined();
    expect(verdicts(failed.result)).toEqual(verdicts(words.result));
    expect(failed.result.warnings.join()).toMatch(/a claim was not checked by the model/);
    const settings = { evidence: { check: 'model' }, budget: { maxCalls: 1 }, stages, strategy: 'direct' } as const;
    const few = await askScripted({ answer, check: { verdict: 'NO' } }, { settings });
    expect(few).toMatchObject({ calls: { answer: 1 }, result: { status: 'answered' } });
    expect(few.calls.check).toBeUndefined();
  });

  it('are checked by another model where one is named', async () => {
    const { createScriptedProvider } = await import('../../../src/index.ts');
    const checker = createScriptedProvider({ check: { verdict: 'NO' } });
    const settings = { evidence: { check: 'model', model: 'checker' }, stages, strategy: 'direct' } as const;
    const { result, calls } = await askScripted(
      { answer },
      { settings, providers: { checker: { ...checker, name: 'checker' } } },
    );
    expect(result.warnings).toEqual([]);
    expect(checker.requests).toHaveLength(2);
    expect(calls.check).toBeUndefined();
    expect(result.claims[0]!.verdict).toBe('unsupported');
  });

  it('are judged by an ONNX model of the user, and by their words where it is not believed, which one warning says', async () => {
    const checkWith = (checker: FakeChecker) => {
      const model = `onnx/${tempFolder({ 'model.onnx': 'weights', 'tokenizer.json': '{}' })}`;
      const settings = { evidence: { check: 'model', model }, onnx: { folder: fakeOnnxPackages(checker) } } as const;
      return askScripted({ answer }, { settings: { ...settings, stages, strategy: 'direct' } });
    };
    const [believed, dull] = await Promise.all([checkWith('knows'), checkWith('dull')]);
    expect(believed.result.warnings).toEqual([]);
    expect(verdicts(believed.result).slice(0, 2)).toEqual([
      ['unsupported', 0.05],
      ['unsupported', 0.05],
    ]);
    expect(dull.result.warnings).toEqual([expect.stringMatching(/checked by their words alone: .* judges 50 of 100/)]);
    expect(dull.result.claims[0]!.verdict).toBe('supported');
  });
});
