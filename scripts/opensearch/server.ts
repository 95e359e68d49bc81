/** Runs a real OpenSearch node from Maven Central in a temporary folder, on a port of the loopback address. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endProcess, freePort } from '../chroma-server.ts';

const opensearchVersion = '2.19.1';
const artifacts = [
  `org.opensearch:opensearch:${opensearchVersion}`,
  `org.opensearch.plugin:transport-netty4-client:${opensearchVersion}`,
  'org.apache.logging.log4j:log4j-core:2.21.0',
];
/** The plugin for vectors. It is an archive of jars, so it cannot be put on the class path directly. */
const vectorPlugin = `org.opensearch.plugin:opensearch-knn:${opensearchVersion}.0:zip`;
const installMs = 300_000;
const startMs = 60_000;
const node = fileURLToPath(new URL('OneNode.java', import.meta.url));

export interface RealOpenSearch {
  readonly url: string;
  /** Whether the plugin for vectors is available. */
  readonly takesVectors: boolean;
  /** Kills the server immediately. */
  kill(): Promise<void>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

const dependency = (artifact: string): string => {
  const [group, name, version, type = 'jar'] = artifact.split(':');
  const exclusions =
    type === 'jar'
      ? ''
      : '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>';
  return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version><type>${type}</type>${exclusions}</dependency>`;
};

const project = (wanted: readonly string[]): string =>
  `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>check</groupId><artifactId>check</artifactId><version>1</version>
<dependencies>${wanted.map(dependency).join('')}</dependencies></project>\n`;

const run = promisify(execFile);

/** Downloads packages and their dependencies into the folder's `lib`. */
async function fetchPackages(folder: string, wanted: readonly string[], goal: string): Promise<void> {
  writeFileSync(join(folder, 'pom.xml'), project(wanted));
  await run('mvn', ['-q', '-B', `dependency:${goal}`, '-DoutputDirectory=lib'], { cwd: folder, timeout: installMs });
}

/** Installs OpenSearch and, if possible, the plugin. Returns whether vectors are available. */
async function install(folder: string): Promise<boolean> {
  await run('java', ['-version']).catch((error: Error) => {
    throw new Error(`there is no java, so nothing was tested: ${error.message}`);
  });
  await fetchPackages(folder, artifacts, 'copy-dependencies').catch((error: Error) => {
    throw new Error(`mvn cannot get OpenSearch ${opensearchVersion}, so nothing was tested: ${error.message}`);
  });
  return fetchPackages(folder, [vectorPlugin], 'unpack-dependencies').then(
    () => true,
    () => false,
  );
}

async function untilReady(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (const until = Date.now() + startMs; Date.now() < until; await sleep(300)) {
    if (child.exitCode !== null) throw new Error(`OpenSearch ended at once: ${said().slice(-500)}`);
    const answers = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) return;
  }
  throw new Error(`OpenSearch did not answer within ${startMs / 1000} s: ${said().slice(-500)}`);
}

/** Downloads and starts the server. Removes its files if that fails. */
export async function startRealOpenSearch(): Promise<RealOpenSearch> {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-opensearch-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const takesVectors = await install(folder);
    const port = await freePort();
    const args = ['-Xmx700m', '-cp', 'lib/*', node, join(folder, 'home'), String(port)];
    const child = spawn('java', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    process.once('exit', () => child.kill('SIGKILL'));
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)));
    const url = `http://127.0.0.1:${port}`;
    await untilReady(url, child, () => said.join(''));
    const kill = () => endProcess(child, 'SIGKILL');
    const stop = async () => {
      await endProcess(child);
      remove();
    };
    return { url, takesVectors, kill, stop };
  } catch (error) {
    remove();
    throw error;
  }
}
