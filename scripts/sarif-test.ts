/** Installs the official validator in a temporary folder (104 MB), and validates the SARIF output of rlm with it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toSarif } from '../src/report/ci/findings.ts';
import { checkedRun, hostileRun, largeRun, plainRun } from '../tests/report/sample-runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'rlm-sarif-'));
const run = (command: string, args: readonly string[]) =>
  execFileSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' },
  });

/** The validator always exits with 0, so its output decides. */
function faultsOf(name: string, text: string): string[] {
  writeFileSync(join(folder, name), text);
  const said = run(join(folder, 'node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool'), ['validate', name]);
  return said.split('\n').filter((line) => line.includes(': error '));
}

try {
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '@microsoft/sarif-multitool@5.7.0']);
  run('chmod', ['u+x', 'node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool']);
  const samples = { plain: plainRun, checked: checkedRun, hostile: hostileRun, large: largeRun(50) };
  const faults = Object.entries(samples).flatMap(([name, sample]) =>
    faultsOf(`${name}.sarif`, toSarif(sample, '1.0.0')),
  );
  // Checks that the validator rejects wrong input; otherwise its verdict would prove nothing.
  const seeded = faultsOf('seeded.sarif', toSarif(plainRun, '1.0.0').replace(/"startLine": \d+/, '"startLine": 0'));
  for (const fault of faults) console.log(fault);
  console.log(
    `${Object.keys(samples).length} files, ${faults.length} faults; a seeded fault was ${seeded.length > 0 ? 'found' : 'MISSED'}`,
  );
  if (faults.length > 0 || seeded.length === 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
