import { describe, expect, it } from 'vitest';
import { noQueries } from '../../../src/prompts/answer.ts';
import type { PromptInput, PromptName } from '../../../src/prompts/index.ts';
import { loadTemplates, type Templates } from '../../../src/prompts/template.ts';
import type { ModelInfo } from '../../../src/providers/provider.ts';
import { type CallIdentity, createIdentify, createPlaces } from '../../../src/run/door/call-identity.ts';
import { passagesOf } from '../../support/passages.ts';

const info: ModelInfo = {
  model: 'm',
  maxWindowTokens: 8_192,
  structuredOutput: true,
  tools: false,
  spends: 'tokens',
  digest: 'sha256:1',
  callsAtOnce: 1,
  answersWithoutText: true,
  notices: [],
};

const shipped = await loadTemplates(null);

const passages = passagesOf('The pool was limited to 20.');

const answer = (changes: object = {}): PromptInput => ({
  prompt: 'answer',
  variables: { question: 'Why?', passages, known: [], criteria: ['brief'], ...noQueries, ...changes },
});

const assess = (calls: number): PromptInput => ({
  prompt: 'assess',
  variables: { question: 'Why?', known: [], budget: { calls, levels: 2 } },
});

const options = {
  form: 'json' as const,
  turns: [],
  temperature: 0.7,
  maxOutputTokens: 100,
  windowTokens: 8_192,
  seed: null,
};

interface Changes {
  readonly provider?: string;
  readonly info?: Partial<ModelInfo>;
  readonly templates?: Templates;
  readonly input?: PromptInput;
  readonly options?: object;
  readonly place?: string;
}

/** Returns the identity of a call with these differences from the usual one. */
function identityOf(changes: Changes = {}): CallIdentity {
  const identify = createIdentify(
    changes.provider ?? 'ollama',
    { ...info, ...changes.info },
    changes.templates ?? shipped,
  );
  return identify(changes.place ?? '0 answer 1', {
    supplement: '',
    reasoning: { level: null, isDefault: true },
    input: changes.input ?? answer(),
    ...options,
    ...changes.options,
  });
}

const usual = identityOf();

const differing = ({ parts }: CallIdentity) =>
  Object.keys({ ...usual.parts, ...parts }).filter((name) => parts[name] !== usual.parts[name]);

const moved = passages.map((passage) => ({ ...passage, startLine: passage.startLine + 1 }));

describe("the parts of a call's identity", () => {
  it.each<[string, Changes, string]>([
    ['the provider', { provider: 'openai' }, 'model'],
    ['the model', { info: { model: 'n' } }, 'model'],
    ['the digest of the model', { info: { digest: 'sha256:2' } }, 'model'],
    ['a model that cannot be held to JSON', { info: { structuredOutput: false } }, 'model'],
    ['the words', { templates: { ...shipped, answer: { ...shipped.answer, system: 'Be brief.' } } }, 'words'],
    ['the question', { input: answer({ question: 'When?' }) }, 'question'],
    ['a passage', { input: answer({ passages: passagesOf('The pool was limited to 40.') }) }, 'passages'],
    ['where a passage stands', { input: answer({ passages: moved }) }, 'passages'],
    ['what is known', { input: answer({ known: [{ question: 'When?', answer: '02:14' }] }) }, 'known'],
    ['what is wanted', { input: answer({ criteria: [] }) }, 'criteria'],
    ['the temperature', { options: { temperature: 0 } }, 'options'],
    ['the seed', { options: { seed: 1 } }, 'options'],
    ['the window', { options: { windowTokens: 4_096 } }, 'options'],
    ['the longest reply', { options: { maxOutputTokens: 200 } }, 'options'],
    ['a repair turn', { options: { turns: [{ role: 'user', content: 'Again.' }] } }, 'turns'],
  ])('%s', (_, changes, part) => {
    const other = identityOf(changes);
    expect(other.hash).not.toBe(usual.hash);
    expect(differing(other)).toContain(part);
  });

  it.each<[string, Changes]>([
    ['another place', { place: '0.2 answer 1' }],
    ['what the model can besides', { info: { callsAtOnce: 8, maxWindowTokens: 32_768, notices: ['x'] } }],
    ['the words of another prompt', { templates: { ...shipped, critic: { system: 'x', user: 'y' } } }],
  ])('do not include %s', (_, changes) => {
    expect(identityOf(changes).hash).toBe(usual.hash);
  });

  it('do not include the remaining budget', () => {
    expect(identityOf({ input: assess(3) }).hash).toBe(identityOf({ input: assess(30) }).hash);
  });
});

describe('the name of a call', () => {
  it('counts the calls of one prompt at one path', () => {
    const take = createPlaces();
    const place = (at: { path: string; part?: string }, prompt: PromptName) => take(at, prompt, 'a/b');
    const [root, part] = [{ path: '0' }, { path: '0.1' }];
    expect([place(root, 'answer'), place(root, 'answer'), place(root, 'compose'), place(part, 'answer')]).toEqual([
      '0 answer 1',
      '0 answer 2',
      '0 compose 1',
      '0.1 answer 1',
    ]);
  });

  it('states its part of the path, so that the order of the parts does not matter', () => {
    const take = createPlaces();
    const place = (at: { path: string; part?: string }, prompt: PromptName) => take(at, prompt, 'a/b');
    const [first, second] = [
      { path: '0', part: '1' },
      { path: '0', part: '2.1' },
    ];
    expect([place(second, 'scan'), place(first, 'scan'), place(second, 'scan')]).toEqual([
      '0/2.1 scan 1',
      '0/1 scan 1',
      '0/2.1 scan 2',
    ]);
  });

  it('is the same for each fallback', () => {
    const places = createPlaces();
    const root = { path: '0' };
    expect(places(root, 'answer', 'a/b')).toBe('0 answer 1');
    expect(places(root, 'answer', 'c/d', false)).toBe('0 answer 1');
    expect(places(root, 'answer', 'c/d')).toBe('0 answer 1');
    expect(places(root, 'answer', 'a/b', false)).toBe('0 answer 2');
  });
});
