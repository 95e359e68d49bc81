import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder, rlm, rlmAlone } from './run-rlm.ts';

it('stores compiled code for the user alone, and ignores damaged or foreign code', async () => {
  const [home, code] = [createFolder(), join('.cache', 'rlm', 'code', 'other')];
  const folder = join(home, code);
  const show = async (off = '') => {
    const env = { HOME: home, NODE_DISABLE_COMPILE_CACHE: off };
    const { stdout, code: status, stderr } = await rlmAlone(['config', 'get', 'strategy'], { env });
    expect({ stdout, status, stderr }).toEqual({ stdout: 'auto\n', status: 0, stderr: '' });
  };
  await show('1');
  expect(readdirSync(home)).not.toContain('.cache');
  await show();
  const [name] = readdirSync(folder);
  expect(statSync(folder).mode & 0o77).toBe(0);
  if ('enableCompileCache' in Module) return; // From here on, Node has its own cache.
  const file = join(folder, name!);
  expect(statSync(file).mode & 0o77).toBe(0);
  const { size } = statSync(file);
  writeFileSync(file, 'damaged');
  await show();
  expect(statSync(file).size).toBeGreaterThan(size / 2);
  writeFileSync(file, 'damaged');
  chmodSync(folder, 0o777);
  await show();
  expect(statSync(file).size).toBe('damaged'.length);
});

it('clears compiled code of every version with the cache', async () => {
  const env = { HOME: createFolder({ '.cache/rlm/code/old-version/start.cjs': 'x'.repeat(1000) }) };
  const stats = JSON.parse((await rlm(['cache', 'stats', '--json'], { env })).stdout);
  expect(stats.compiled.bytes).toBeGreaterThanOrEqual(1000);
  expect((await rlm(['cache', 'clear'], { env })).stdout).toMatch(/, and [\d,.]+ \w+ of compiled code, from /);
  expect(existsSync(join(env.HOME, '.cache', 'rlm', 'code'))).toBe(false);
});
