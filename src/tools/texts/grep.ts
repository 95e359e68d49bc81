import { counted, cutText } from '../../base/text.ts';
import { isCodeName } from '../../context/chunkers/languages.ts';
import type { ContextStore } from '../../context/document.ts';
import { createView } from '../../context/store/view.ts';
import { renderPassages } from '../../prompts/prompt.ts';
import type { Passage } from '../../state.ts';
import { page } from '../page.ts';
import type { FittingResult, Tool, ToolWorld } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import {
  type FileMatches,
  type FoundMatches,
  type GrepArguments,
  parameters,
  showMatches,
  withAround,
} from './matches.ts';
import { type MatchedLine, type MatchSink, matcherOf, pacerOf, searchText } from './search-text.ts';
import { chunksAt, findTexts, isNoText, type OpenText } from './texts.ts';

const mostRanked = 40;

async function findPassages(words: string, part: ContextStore | null, least: number, world: ToolWorld) {
  const found: Passage[] = [];
  while (found.length < least) {
    const more = await world.find(words, part, new Set(found.map(({ id }) => id)));
    if (more.length === 0) break;
    found.push(...more);
  }
  return found;
}

const lineCharacters = 200;

function bestLine({ id, source, startLine, text }: Passage, words: readonly string[]): string {
  const lines = text.split('\n');
  const counts = lines.map((line) => words.filter((word) => line.toLowerCase().includes(word)).length);
  const at = counts.indexOf(Math.max(...counts));
  return `[${id}] ${source}:${startLine + at}: ${cutText(lines[at]!.trim(), lineCharacters)}`;
}

const wholeShare = 0.8;

/**
 * Shows the passages that suit the words best. Returns null if no document is at the path, because files are searched
 * line by line instead.
 */
async function rankPassages(
  { words, path, skip = 0, limit = mostRanked }: GrepArguments & { readonly words: string },
  world: ToolWorld,
): Promise<FittingResult | null> {
  const { store } = world;
  const chunks = chunksAt(path, store);
  if (chunks !== null ? chunks.length === 0 : store.chunkCount === 0 && world.files !== null) return null;
  const part = chunks === null || chunks.length === store.chunkCount ? null : createView(store, chunks);
  const found = await findPassages(words, part, Math.min(mostRanked, skip + 1), world);
  const passages = found.slice(skip, skip + Math.min(limit, mostRanked));
  const named = words.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return (bounds) => {
    if (passages.length === 0)
      return {
        text: skip > 0 ? 'No more passages suit the words.' : 'No passage suits the words: try a pattern.',
        passages: [],
      };
    let room = Math.floor(bounds.characters * wholeShare);
    const blocks = passages.map((passage, index) => {
      const whole = renderPassages([passage]);
      room -= whole.length;
      const isWhole = room >= 0 || (index === 0 && whole.length < bounds.characters);
      return { text: isWhole ? whole : bestLine(passage, named), passages: [passage] };
    });
    const end = (shown: number) => [`Others suit the words less; to see them: "skip": ${skip + shown}`];
    return page({ blocks, end })(bounds);
  };
}

const mostLinesAround = 20;
const usualMatches = 100;
const mostMatches = 2_000;

export const grep: Tool<GrepArguments> = {
  name: 'grep',
  about: 'Searches all text: lines by pattern, or passages by words, with ids to cite.',
  parameters,
  example: { pattern: 'pool (size|limit)', path: 'src/**/*.ts', lines: 2 },
  needs: 'texts',
  run: search,
};

/** Matches lines that import a name, in most languages. */
const importLine =
  /^\s*(?:import\b|from\s+\S+\s+import\b|\}\s*from\s*['"]|export\b.*\bfrom\s*['"]|#\s*include\b|using\s+[\w.:]+\s*;|use\s+[\w:]+.*;|require(?:_once)?\b|(?:const|let|var)\s+[^=]+=\s*require\s*\()/;

/** Matches a pattern that searches for imports. */
const importWord = /import|from|include|require|using|\buse\b/;

/** After the last kept match, at most about this many bytes are searched, to count further matches. */
const countedBytes = 256 * 1024 * 1024;
const scratchBytes = 1024 * 1024;

const escaped = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function patternOf(words: string): string {
  const parts = [...new Set(words.toLowerCase().match(/[\p{L}\p{N}_'’.-]+/gu) ?? [])];
  if (parts.length === 0) throw new ToolError('give "words" or a "pattern" to look for.');
  return parts.map(escaped).join('|');
}

async function search(given: GrepArguments, world: ToolWorld): Promise<FittingResult> {
  const { pattern, words } = given;
  if (!pattern && !words) throw new ToolError('give "words" or a "pattern" to look for.');
  const ranked = pattern || given.count ? null : await rankPassages({ ...given, words: words! }, world);
  if (ranked !== null) return ranked;
  const found = await searchAll({ ...given, pattern: pattern || patternOf(words!) }, world);
  return showMatches(found, given, world);
}

async function searchAll(given: GrepArguments & { pattern: string }, world: ToolWorld): Promise<FoundMatches> {
  const { pattern, path, skip = 0, lines = 0, limit = usualMatches, count, caseSensitive } = given;
  const matcher = await matcherOf(pattern, caseSensitive === true);
  const last = skip + Math.min(limit, mostMatches);
  const texts = await findTexts(path, world);
  const rest = pacerOf(world);
  // With a buffer per file, garbage collection would take as long as all other work.
  const scratch = Buffer.allocUnsafeSlow(scratchBytes);
  const passed = { 'without text': 0, 'that cannot be read': 0 };
  const files: FileMatches[] = [];
  let [seen, searched, bytesLeft] = [0, 0, countedBytes];
  const asksImports = importWord.test(pattern);
  const isImport = (line: string, name: string) => !asksImports && isCodeName(name) && importLine.test(line);

  async function matchesIn(text: OpenText): Promise<FileMatches> {
    const { name, linesBefore, bytes } = text;
    const matches: MatchedLine[] = [];
    const imports: number[] = [];
    let total = 0;
    const sink: MatchSink = {
      isCounted() {
        total++;
        const isMore = count === true || seen >= last;
        if (isMore) seen++;
        return isMore;
      },
      add(match) {
        if (isImport(match.text, name)) imports.push(match.line + linesBefore);
        else if (++seen > skip) matches.push(match);
      },
    };
    await searchText(text, matcher, sink, rest);
    if (seen > last) bytesLeft -= bytes;
    return { name, linesBefore, matches: withAround(text, matches, Math.min(lines, mostLinesAround)), total, imports };
  }

  for await (const found of texts.texts) {
    if (bytesLeft <= 0) break;
    const result = await found.use(matchesIn, scratch);
    if (isNoText(result)) passed[result]++;
    else {
      searched++;
      if (result.total > 0) files.push(result);
    }
  }
  if (searched === 0 && bytesLeft > 0 && passed['without text'] === 0) throw texts.none();
  const kinds = Object.entries(passed).flatMap(([kind, number]) => (number > 0 ? [`${number} ${kind}`] : []));
  const all = counted(passed['without text'] + passed['that cannot be read'], 'file');
  const left = kinds.length > 0 ? [`Not searched: ${all} (${kinds.join(', ')})`] : [];
  const unread = bytesLeft <= 0 ? ['The rest of the files was not searched: name a narrower "path"'] : [];
  return { files, searched, notes: [...unread, ...left, ...texts.notes()] };
}
