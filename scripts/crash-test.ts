/**
 * Kills the built program at random points, cuts journals at random bytes, resumes the runs, and counts at the model
 * which calls were repeated. Prints figures; exits with 1 if one of them is wrong.
 *
 * npm run test:crash -- [--seed N] [--kills N] [--cuts N]
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { needsOf } from './crash-model.ts';
import { callsAtOnce, callsIn, createInputs, createLab, essence, type KeptRun, type Session } from './crash-runs.ts';
import { createRandom } from './random.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, kills: { type: 'string' }, cuts: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const killsWanted = Number(values.kills ?? 200);
const cutsWanted = Number(values.cuts ?? 100);
/** Concurrent runs: as many as the smallest CI machine has processors. */
const workers = 2;

const figures = {
  kills: 0,
  killsBeforeRecord: 0,
  repeatsAfterKill: 0,
  mostRepeats: 0,
  mostInFlight: 0,
  cuts: 0,
  cutsInFirstRecord: 0,
};

/** Things that must not happen, each with the runs in which it happened. */
const violations = new Map<string, string[]>(
  [
    'recorded calls repeated',
    'recorded calls lost',
    'replies used before they were recorded',
    'calls made twice by one process',
    'calls repeated that were not in flight',
    'answers different',
    'other failures',
  ].map((kind) => [kind, []]),
);

const violate = (kind: string, where: string, what: Iterable<string>) =>
  violations.get(kind)!.push(...[...what].map((one) => `${where}: ${one}`));

/** The result of an uninterrupted run. */
interface Reference {
  readonly essence: string;
  readonly calls: ReadonlySet<string>;
  readonly kept: KeptRun;
  readonly ms: number;
}

async function runUninterrupted(inputs: string): Promise<Reference> {
  const lab = await createLab(seed, inputs);
  try {
    const session = await lab.ask();
    if (session.code !== 0) throw new Error(`the uninterrupted run failed:\n${session.stderr}`);
    const calls = new Set(session.arrived);
    if (calls.size !== session.arrived.length) throw new Error('the tree has two calls of the same name');
    return { essence: essence(session.stdout), calls, kept: lab.kept()!, ms: session.ms };
  } finally {
    await lab.close();
  }
}

const isNothingThere = ({ code, stdout, arrived }: Session): boolean =>
  code === 2 && arrived.length === 0 && /"code":"(run-missing|journal-damaged)"/.test(stdout);

function checkEnd(session: Session, reference: Reference, where: string): void {
  if (session.code !== 0) violate('other failures', where, [`exit ${session.code}: ${session.stderr}`]);
  else if (essence(session.stdout) !== reference.essence) violate('answers different', where, ['the result']);
}

/** Compares a killed session, and the calls after it, with its journal at the time of the kill. */
function checkKilled(killed: Session, later: readonly Session[], where: string): void {
  const recorded = killed.recorded ?? new Set<string>();
  const asked = later.flatMap(({ arrived }) => arrived);
  const repeated = killed.arrived.filter((call) => asked.includes(call));
  violate(
    'recorded calls repeated',
    where,
    asked.filter((call) => recorded.has(call)),
  );
  const lost = later.flatMap((next) => [...recorded].filter((call) => !next.recorded?.has(call)));
  violate('recorded calls lost', where, lost);
  const early = killed.arrived.filter((call) => needsOf.get(call)?.some((need) => !recorded.has(need)));
  violate('replies used before they were recorded', where, early);
  const settled = repeated.filter((call) => !killed.inFlight.has(call) && !killed.justAnswered.has(call));
  violate('calls repeated that were not in flight', where, settled);
  figures.repeatsAfterKill += repeated.length;
  figures.mostRepeats = Math.max(figures.mostRepeats, repeated.length);
  figures.mostInFlight = Math.max(figures.mostInFlight, killed.inFlight.size);
}

/** Returns the calls that a process made more than once. */
const twice = ({ arrived }: Session): string[] => arrived.filter((call, index) => arrived.indexOf(call) !== index);

/** Kills a run one to three times, then resumes it to its end. */
async function killOnce(number: number, inputs: string, reference: Reference, interrupted: KeptRun[]): Promise<void> {
  const random = createRandom(seed * 1000 + number);
  const where = `run ${number}`;
  const lab = await createLab(seed, inputs);
  const killAfter = () => reference.ms * (0.4 + 0.8 * random());
  try {
    const sessions = [await lab.ask(killAfter())];
    for (let more = Math.floor(random() * 3); more > 0 && sessions.at(-1)!.wasKilled; more -= 1) {
      if (sessions.at(-1)!.recorded !== null) sessions.push(await lab.resume(killAfter()));
    }
    if (sessions.at(-1)!.wasKilled) {
      if (sessions.at(-1)!.recorded !== null) interrupted.push(lab.kept()!);
      sessions.push(await lab.resume());
    }
    const killed = sessions.filter(({ wasKilled }) => wasKilled);
    figures.kills += killed.length;
    for (const session of sessions) violate('calls made twice by one process', where, twice(session));
    if (killed.some(({ recorded }) => recorded === null)) {
      figures.killsBeforeRecord += 1;
      if (!isNothingThere(sessions.at(-1)!)) violate('other failures', where, [sessions.at(-1)!.stderr]);
      return;
    }
    for (const [index, session] of sessions.entries()) {
      if (session.wasKilled) checkKilled(session, sessions.slice(index + 1), where);
    }
    checkEnd(sessions.at(-1)!, reference, where);
  } finally {
    await lab.close();
  }
}

/** Cuts a journal at a random byte, and resumes the run. */
async function cutOnce(number: number, inputs: string, reference: Reference, kept: KeptRun): Promise<void> {
  const random = createRandom(seed * 1000 + 500 + number);
  const { journal } = kept;
  const cut = Math.floor(random() * journal.length);
  const where = `journal ${number} of ${journal.length} bytes, cut at ${cut}`;
  const whole = callsIn(journal.subarray(0, cut));
  const lab = await createLab(seed, inputs);
  try {
    lab.restore({ ...kept, journal: journal.subarray(0, cut) });
    const session = await lab.resume();
    figures.cuts += 1;
    if (whole === null) {
      figures.cutsInFirstRecord += 1;
      if (!isNothingThere(session)) violate('other failures', where, [session.stderr]);
      return;
    }
    violate(
      'recorded calls repeated',
      where,
      session.arrived.filter((call) => whole.has(call)),
    );
    violate(
      'recorded calls lost',
      where,
      [...whole].filter((call) => !session.recorded?.has(call)),
    );
    violate('calls made twice by one process', where, twice(session));
    checkEnd(session, reference, where);
  } finally {
    await lab.close();
  }
}

/** Runs numbered jobs concurrently until `isEnough` returns true. */
async function inParallel(isEnough: (number: number) => boolean, work: (number: number) => Promise<void>) {
  let next = 0;
  const worker = async () => {
    while (!isEnough(next)) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

function report(startedAt: number): void {
  const rows: [string, number | string][] = [
    ['kills (SIGKILL)', figures.kills],
    ['  before the run was recorded', figures.killsBeforeRecord],
    ['journals cut', figures.cuts],
    ['  within the first record', figures.cutsInFirstRecord],
    ['calls repeated after a kill, in all', figures.repeatsAfterKill],
    ['most repeats after one kill', figures.mostRepeats],
    [`most calls in flight at a kill (at most ${callsAtOnce})`, figures.mostInFlight],
    ...[...violations].map(([kind, found]): [string, number] => [kind, found.length]),
    ['time', `${Math.round((performance.now() - startedAt) / 1000)} s`],
  ];
  for (const [name, value] of rows) console.log(`${name.padEnd(46)}${String(value).padStart(6)}`);
  const found = [...violations].flatMap(([kind, where]) => where.map((one) => `${kind}: ${one}`));
  for (const line of found.slice(0, 20)) console.error(line);
  if (found.length > 0) process.exitCode = 1;
}

const startedAt = performance.now();
console.log(`crash test, seed ${seed} (again: npm run test:crash -- --seed ${seed})`);
const inputs = createInputs();
try {
  const references: Reference[] = [];
  await inParallel(
    (number) => number >= 3 * workers,
    async () => void references.push(await runUninterrupted(inputs)),
  );
  // Uses the fastest run, because kills should happen during a run, and the first start may take long.
  const reference = references.reduce((best, other) => (other.ms < best.ms ? other : best));
  for (const other of references)
    if (other.essence !== reference.essence) violate('answers different', 'uninterrupted', ['the result']);
  const interrupted: KeptRun[] = [];
  await inParallel(
    () => figures.kills >= killsWanted,
    (number) => killOnce(number, inputs, reference, interrupted),
  );
  const runOf = (number: number) => (number % 2 === 0 ? undefined : interrupted[number % interrupted.length]);
  await inParallel(
    (number) => number >= cutsWanted,
    (number) => cutOnce(number, inputs, reference, runOf(number) ?? reference.kept),
  );
} finally {
  rmSync(inputs, { recursive: true, force: true });
}
report(startedAt);
