import { describe, expect, it } from 'vitest';
import { renderText } from '../../src/cli/render/result.ts';
import { exitCodeOf, isForm } from '../../src/result.ts';
import { askScripted, failing } from '../support/scripted-run.ts';

const schema = {
  type: 'object',
  properties: { limit: { type: ['integer', 'null'] }, release: { type: ['string', 'null'] } },
  required: ['limit', 'release'],
};
const settings = { schema };
const answer = 'The pool was limited to 20 [P1].';

describe("an answer in the user's form", () => {
  it('is JSON with citations for each field', async () => {
    const form = { limit: 20, release: null };
    const { result, of, requests, events } = await askScripted({ answer, form }, { settings });
    expect(result).toMatchObject({ status: 'answered', data: form, error: null });
    expect(JSON.parse(result.answer!)).toEqual(form);
    expect(result.fieldCitations).toEqual({ '/limit': [result.citations[0]] });
    expect(result.citations).toMatchObject([{ source: 'a.md', startLine: 1, origin: 'code' }]);
    const [claim, ...others] = result.claims;
    expect(others).toEqual([]);
    expect(claim).toMatchObject({ text: 'limit: 20', citations: [1], verdict: 'unchecked', reason: null });
    expect(result.answer!.slice(claim!.start, claim!.end)).toBe('20');
    expect(result.recursionTree!.answer).toContain('limited to 20');
    expect(of('form')[0]!.answer).toContain('limited to 20');
    expect(requests.find(({ input }) => input.prompt === 'form')!.schema).toEqual(schema);
    expect(events).toContainEqual(expect.objectContaining({ type: 'stage.completed', stage: 'form' }));
  });

  it('is requested once more if it does not conform, with the errors', async () => {
    const form = [{ limit: 'twenty' }, 'Sorry: {"limit": 20, "release": "4.2"}'];
    const { result, requests } = await askScripted({ answer, form }, { settings });
    expect(result.data).toEqual({ limit: 20, release: '4.2' });
    const turns = requests
      .filter(({ input }) => input.prompt === 'form')
      .map(({ messages }) => messages.at(-1)!.content);
    expect(turns).toHaveLength(2);
    expect(turns[1]).toMatch(/could not be used: it does not conform to the form: .*\/limit/);
  });

  it('that fails leaves the answer, and ends below the threshold', async () => {
    const { result, calls } = await askScripted({ answer, form: { limit: 'twenty' } }, { settings });
    expect(calls.form).toBe(2);
    expect(result).toMatchObject({ status: 'answered', data: null, fieldCitations: {}, resumable: false });
    expect(result.answer).toBe('The pool was limited to 20 [1].');
    expect(result.error).toMatchObject({ code: 'schema-unmet', message: expect.stringMatching(/\/limit: /) });
    expect(exitCodeOf(result)).toBe(7);
  });

  it('that no reply gives leaves prose, with its marks and sources', async () => {
    const { result } = await askScripted({ answer, form: failing('provider-failed') }, { settings });
    expect(result).toMatchObject({ data: null, fieldCitations: {}, error: { code: 'provider-failed' } });
    expect(isForm(result)).toBe(false);
    expect(renderText(result, null)).toMatch(/^The pool was limited to 20 \[1\]\.\n\nSources:\n/);
    expect(isForm({ data: null, answer: 'null' })).toBe(true);
  });

  it('is not requested without an answer, and has a reserved call', async () => {
    const script = { form: { limit: null, release: null } };
    const failed = await askScripted({ ...script, answer: '' }, { settings });
    expect(failed.calls.form).toBeUndefined();
    const few = { ...settings, budget: { maxCalls: 2 }, stages: { planner: 'never', critic: 'never' } } as const;
    expect((await askScripted({ ...script, answer }, { settings: few })).result.data).toEqual(script.form);
  });

  it('is requested in words from a model that accepts no schema', async () => {
    const scripted = { structuredOutput: false };
    const { result, requests } = await askScripted(
      { answer, form: '```json\n{"limit": 20, "release": null}\n```' },
      { settings, scripted },
    );
    expect(result.data).toEqual({ limit: 20, release: null });
    expect(requests.at(-1)!.messages.at(-1)!.content).toContain(JSON.stringify(schema));
  });
});
