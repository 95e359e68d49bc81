import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../src/config/layers.ts';
import { writeUserSetting } from '../../src/config/write-user-setting.ts';

describe('a setting that is written to the user’s file', () => {
  it('leaves the others unchanged, and takes effect from then on', async () => {
    const home = mkdtempSync(join(tmpdir(), 'rlm-user-'));
    const env = { HOME: home };
    const curve = { constant: -1, slope: 2 };
    const path = await writeUserSetting('confidenceMap.match', curve, env);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ confidenceMap: { match: curve } });
    mkdirSync(join(home, '.config', 'rlm'), { recursive: true });
    writeFileSync(path, '{"model": "own", "confidenceMap": {"match": null}}');
    await writeUserSetting('confidenceMap.evidence', curve, env);
    const { settings } = loadConfiguration({ env, cwd: home });
    expect(settings).toMatchObject({ model: 'own', confidenceMap: { match: null, evidence: curve } });
  });
});
