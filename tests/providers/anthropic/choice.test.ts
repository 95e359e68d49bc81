import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chooseProvider } from '../../../src/assemble/models/choose-provider.ts';
import { type ConfigurationSources, loadConfiguration } from '../../../src/config/layers.ts';
import { chooseAnthropicModel } from '../../../src/providers/anthropic/choice.ts';
import { startAnthropicServer } from '../../servers/anthropic-server.ts';
import { faults } from '../../servers/faults.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const flags = (given: Record<string, string>) => new Map(Object.entries(given));

/** Chooses the provider and the model in a project with this configuration file. */
function choose(project: object, sources: ConfigurationSources) {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'rlm.config.json'), JSON.stringify(project));
  return chooseAnthropicModel(loadConfiguration({ cwd, env: {}, ...sources }));
}

test('the model that the user chose', () => {
  const sources = { flags: flags({ provider: 'anthropic', model: 'claude-haiku-5-5' }) };
  expect(choose({}, sources)).toEqual({ model: 'claude-haiku-5-5', notices: [] });
});

test('a default one, with a notice, if nobody or only a project file chose', () => {
  const sources = { flags: flags({ provider: 'anthropic' }) };
  expect(choose({}, sources)).toEqual({
    model: 'claude-sonnet-5-5',
    notices: [expect.stringMatching(/no model was chosen: claude-sonnet-5-5 answers.*--model/)],
  });
  expect(choose({ model: 'claude-fable-5-1' }, sources)).toEqual({
    model: 'claude-sonnet-5-5',
    notices: [expect.stringContaining('claude-fable-5-1) is not used')],
  });
});

test('a project file does not choose the provider', () => {
  expect(() => choose({ provider: 'anthropic' }, {})).toThrow(/the project file names anthropic/);
  expect(choose({ provider: 'anthropic' }, { flags: flags({ provider: 'anthropic' }) }).model).toBe(
    'claude-sonnet-5-5',
  );
});

test('a server that does not answer in time is named', async () => {
  const server = await startAnthropicServer({ reply: () => '', elsewhere: () => faults.stall() });
  onTestFinished(server.close);
  const settings = new Map<string, unknown>([
    ['provider', 'anthropic'],
    ['anthropic.baseUrl', server.url],
    ['budget.callTimeout', 0.05],
  ]);
  const configuration = loadConfiguration({ cwd: tempFolder(), env: {}, settings });
  const choosing = chooseProvider(configuration, undefined, new AbortController().signal);
  await expect(choosing).rejects.toMatchObject({ code: 'provider-unreachable', message: /^anthropic did not answer/ });
});
