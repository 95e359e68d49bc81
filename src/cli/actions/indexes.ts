import {
  addToIndex,
  indexNames,
  listIndexes,
  type RefreshOptions,
  removeIndexes,
  updateIndex,
  watchIndex,
} from '../../api/indexes.ts';
import { counted, textTable } from '../../base/text.ts';
import type { Configuration } from '../../config/layers.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import type { IndexOutline } from '../../indexes/kept-indexes.ts';
import type { Refreshed } from '../../indexes/refresh.ts';
import type { ReadingProgress } from '../../inputs/gather-inputs.ts';
import {
  type ActionRequest,
  type CommandAction,
  type Invocation,
  numberOption,
  runAction,
  textOption,
} from '../command.ts';
import { configured, withinTimeout } from '../configured.ts';
import { createStatusLine, describeReading, size } from '../render/progress.ts';
import { localTime } from '../render/runs.ts';
import { underSignals } from '../signals.ts';
import { indented, oneLine, say, toJson } from '../terminal.ts';

function createProgress({ stderr }: ActionRequest, name: string) {
  const { show, close } = createStatusLine(stderr, 2_000);
  return {
    onReading: (progress: ReadingProgress) => show(`${name}: reading: ${describeReading(progress)}`),
    onIndexing: (done: number, bytes: number) => show(`${name}: indexing: ${size(done)} of ${size(bytes)}`),
    close,
  };
}

function countFiles({ files: { added, changed, removed, kept }, missing }: Refreshed): string {
  const counts = { new: added, changed, removed, unchanged: kept - missing, 'missing but kept': missing };
  const named = Object.entries(counts).filter(([, count]) => count > 0);
  return named.map(([what, count]) => `${count} ${what}`).join(', ') || 'no files';
}

const namedPerReason = 3;

/** Formats counts and names by reason: `2 binary (logo.png, a.zip), 1 empty (x.txt)`. */
function countSkipped(skipped: Refreshed['skipped']): string {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))].map((reason) => {
    const names = skipped.flatMap((one) => (one.reason === reason ? [one.name] : []));
    const more = names.length > namedPerReason ? ', …' : '';
    return `${names.length} ${reason} (${names.slice(0, namedPerReason).join(', ')}${more})`;
  });
  return reasons.join(', ');
}

function notesOf({ warnings, skipped }: Refreshed): string {
  const notes = [...warnings, ...(skipped.length > 0 ? [`skipped: ${countSkipped(skipped)}`] : [])];
  return notes.map((text) => `rlm: note: ${indented(text)}\n`).join('');
}

/** Formats an outcome: `docs: 12 documents, 1.1 MB (2 new, 10 unchanged)`. */
const outcomeText = (refreshed: Refreshed): string =>
  `${refreshed.name}: ${counted(refreshed.documents, 'document')}, ${size(refreshed.bytes)} (${countFiles(refreshed)})`;

function show({ stdout, stderr, asJson }: ActionRequest, refreshed: Refreshed): void {
  stderr.write(notesOf(refreshed));
  stdout.write(asJson ? toJson(refreshed) : `${outcomeText(refreshed)}\n`);
}

/** Refreshes each index. Ctrl-C leaves the current one unchanged. A refused update does not stop the others. */
async function refreshAll(
  request: ActionRequest,
  { settings }: Configuration,
  names: readonly string[],
  refresh: (name: string, options: RefreshOptions) => Promise<Refreshed>,
): Promise<void> {
  const refused: RlmError[] = [];
  const refreshOne = async (name: string, signal: AbortSignal) => {
    const { onReading, onIndexing, close } = createProgress(request, name);
    const refreshed = await withinTimeout(request.options, settings, { signal, onReading }, (limited) =>
      refresh(name, { onIndexing, ...limited }),
    ).finally(close);
    show(request, refreshed);
  };
  await underSignals({ hint: 'The index is unchanged.' }, async (signal) => {
    for (const name of names) {
      await refreshOne(name, signal).catch((error: unknown) => {
        if (!(error instanceof RlmError) || error.code !== 'index-shrunk') throw error;
        refused.push(error);
      });
    }
  });
  if (refused.length === 0) return;
  const { code, hint } = refused[0]!;
  throw new RlmError(code, refused.map(({ message }) => message).join('; '), { hint });
}

const addExample = 'rlm index add docs/ --name docs';

async function add(request: ActionRequest): Promise<void> {
  const name = textOption(request.options, 'name');
  if (name === null) throw new RlmError('usage', 'an index needs a name', { hint: `For example: ${addExample}` });
  const configuration = configured(request);
  const refresh = (_: string, progress: RefreshOptions) => addToIndex(name, request.names, configuration, progress);
  await refreshAll(request, configuration, [name], refresh);
}

async function update(request: ActionRequest): Promise<void> {
  const { options } = request;
  const configuration = configured(request);
  const given = [...new Set([...request.names, textOption(options, 'name')])].filter((name) => name !== null);
  const names = given.length === 0 ? await indexNames(configuration) : given;
  if (names.length === 0) say(request, noneYet);
  const how = { readsAll: options['all'] === true, force: options['force'] === true };
  await refreshAll(request, configuration, names, (name, progress) =>
    updateIndex(name, configuration, { ...how, ...progress }),
  );
}

async function watch(request: ActionRequest): Promise<void> {
  const { names, options, stderr, stdout, asJson } = request;
  const name = names[0]!;
  const { onReading, onIndexing, close } = createProgress(request, name);
  /** The notes of the last batch; null until the first batch ends. Only the first batch shows its progress. */
  let noted: string | null = null;
  const progress: Pick<RefreshOptions, 'onReading' | 'onIndexing'> = {
    onReading: (read) => noted === null && onReading(read),
    onIndexing: (done, all) => noted === null && onIndexing(done, all),
  };
  const onBatch = (refreshed: Refreshed) => {
    const notes = notesOf(refreshed);
    close();
    if (notes !== (noted ?? '')) stderr.write(notes);
    noted = notes;
    if (asJson) stdout.write(toJson(refreshed));
    say(request, outcomeText(refreshed));
  };
  const onRefused = ({ message, hint }: RlmError) => say(request, `note: ${message}. ${hint}`);
  const poll = numberOption(options, 'poll', { least: 1 }) ?? null;
  await underSignals({ hint: 'The index contains the changes that were printed.' }, (signal) =>
    watchIndex(name, configured(request), { ...progress, poll, onBatch, onRefused, signal }),
  );
}

const noneYet = 'there is no index yet; rlm index add PATHS… --name NAME creates one';

const longestPaths = 200;

function row({ name, documents, bytes, updatedAt, cwd, paths, damage }: IndexOutline): string[] {
  if (damage !== null) return [oneLine(name), 'damaged', '', '', oneLine(damage, longestPaths)];
  const where = `${paths.join(' ')} (in ${cwd})`;
  const facts = [counted(documents, 'document'), size(bytes), localTime(updatedAt)];
  return [oneLine(name), ...facts, oneLine(where, longestPaths)];
}

async function list(request: ActionRequest): Promise<void> {
  const { stdout, asJson } = request;
  const outlines = await listIndexes(configured(request));
  stdout.write(asJson ? toJson(outlines, 2) : textTable(outlines.map(row)));
  if (outlines.length === 0) say(request, noneYet);
}

async function remove(request: ActionRequest): Promise<void> {
  const names = [...new Set(request.names)];
  await removeIndexes(names, configured(request));
  say(request, `removed ${names.join(', ')}`);
}

const indexes = { what: 'the name of an index', least: 1, most: Number.POSITIVE_INFINITY };

const actions: Readonly<Record<string, CommandAction>> = {
  add: { names: { ...indexes, what: 'paths' }, example: addExample, run: add },
  update: { names: { ...indexes, least: 0 }, example: 'rlm index update docs', run: update },
  watch: { names: { what: 'the name of one index', least: 1, most: 1 }, example: 'rlm index watch docs', run: watch },
  list: { example: 'rlm index list', run: list },
  rm: { names: indexes, example: 'rlm index rm docs', run: remove },
};

export const runIndex = (invocation: Invocation): Promise<ExitCode> => runAction('index', actions, invocation);
