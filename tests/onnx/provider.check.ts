/**
 * Real ONNX models through the real packages: one that has learned the known pairs, and one that always says the same.
 */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownPairs } from '../../src/providers/onnx/known-pairs.ts';
import { createOnnxProvider } from '../../src/providers/onnx/provider.ts';
import { sampleRequest } from '../contracts/sample-requests.ts';
import { answer, startServer } from '../e2e/replies.ts';
import { createFolder, resultOf, rlm } from '../e2e/run-rlm.ts';
import { errorOf } from '../support/error-of.ts';
import { passagesOf } from '../support/passages.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { dullChecker, tinyChecker } from '../support/tiny-onnx.ts';

const folder = process.env['ONNX_TEST_FOLDER'];
if (folder === undefined) throw new Error('ONNX_TEST_FOLDER is not set: run npm run test:onnx');

const { signal } = new AbortController();

function check(model: string, claim: string, text: string) {
  const provider = createOnnxProvider({ model, cwd: '/', folder: folder! });
  const variables = { claim, question: '', passages: passagesOf(text) };
  return provider.call(sampleRequest({ prompt: 'check', variables }), { signal });
}

describe('a real ONNX model', () => {
  it('is believed where it judges the known pairs rightly, with long texts read in parts', async () => {
    const model = tinyChecker();
    const { text, claim } = knownPairs[0]!;
    expect(JSON.parse((await check(model, claim, text)).text)).toEqual({ verdict: 'YES' });
    expect(JSON.parse((await check(model, claim, `${text} `.repeat(40))).text)).toEqual({ verdict: 'YES' });
    expect(JSON.parse((await check(model, knownPairs[1]!.claim, text)).text)).toEqual({ verdict: 'NO' });
    rmSync(join(model, 'config.json'));
    expect(JSON.parse((await check(model, claim, text)).text)).toEqual({ verdict: 'YES' });
  });

  it('is not trusted if it says the same of each pair, and a broken one is reported as broken', async () => {
    const { text, claim } = knownPairs[0]!;
    expect((await errorOf(check(dullChecker(), claim, text))).message).toMatch(/judges 50 of 100 known claims rightly/);
    const broken = tempFolder();
    cpSync(tinyChecker(), broken, { recursive: true });
    writeFileSync(join(broken, 'model.onnx'), 'no protobuf');
    expect(await errorOf(check(broken, claim, text))).toMatchObject({ code: 'provider-failed' });
    expect((await errorOf(check(broken, 'word '.repeat(600), text))).code).toBe('provider-failed');
  });

  it('is asked by the built program, and its word is in the result', async () => {
    const { text } = knownPairs[2]!;
    const server = await startServer({ answer: answer('Castell is now owned by Meridian [P1].') });
    const cwd = createFolder({ 'notes.txt': `${text}\n` });
    const model = { RLM_EVIDENCE_CHECK: 'model', RLM_EVIDENCE_MODEL: `onnx/${tinyChecker()}` };
    const env = { ...server.env, ...model, RLM_ONNX_FOLDER: folder! };
    const args = ['ask', 'Who owns Castell?', 'notes.txt', '--strategy', 'direct', '--json'];
    const [judged, missing] = await Promise.all([
      rlm(args, { cwd, env }),
      rlm(args, { cwd, env: { ...env, RLM_ONNX_FOLDER: cwd } }),
    ]);
    expect(judged.code).toBe(0);
    const { claims, warnings } = resultOf(judged);
    expect(warnings).toEqual([]);
    const reason = expect.stringMatching(/the checking model says/);
    expect(claims).toMatchObject([{ verdict: 'unsupported', support: expect.closeTo(0.05, 1), reason }]);
    expect(missing).toMatchObject({ code: 4, stderr: expect.stringMatching(/onnxruntime-node.*is not installed/s) });
  });
});
