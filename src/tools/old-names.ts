/** Names and arguments of tools that were replaced: a call by an old name still works. */

type Given = Readonly<Record<string, unknown>>;

/** The tool that takes the place of an old one, and its arguments made of the old ones. */
interface Successor {
  readonly tool: string;
  toArguments(given: Given): Given;
}

/** Returns the folder or file and the glob of an old call as one path. */
function pathOf({ path, glob }: Given): unknown {
  if (typeof glob !== 'string' || glob === '') return path;
  const below = glob.includes('/') ? glob : `**/${glob}`;
  return typeof path === 'string' && path !== '' ? `${path.replace(/\/+$/, '')}/${below}` : glob;
}

/** Returns the document of an old call, or the context or chunk that it named. */
const sourceOf = ({ source, context, chunk }: Given): unknown => {
  const whole = context === 'text' ? undefined : context;
  return source ?? (chunk === undefined ? whole : `${context ?? 'text'}#${chunk}`);
};

const linesOf = ({ startLine, endLine }: Given): Given => ({ startLine, endLine });

const search = ({ words, query, pattern, contextLines, caseSensitive, ignoreCase, skip, ...given }: Given): Given => ({
  words: words ?? query,
  pattern,
  path: given['source'] ?? pathOf(given) ?? sourceOf(given),
  lines: given['lines'] ?? contextLines,
  caseSensitive: caseSensitive ?? (ignoreCase === undefined ? undefined : ignoreCase === false),
  count: given['count'],
  limit: given['limit'],
  skip,
});

const read = (given: Given): Given => ({ ...given, path: given['path'] ?? sourceOf(given), ...linesOf(given) });

const question = (given: Given): Given => ({
  question: given['question'] ?? given['text'],
  path: given['path'] ?? sourceOf(given),
  ...linesOf(given),
  every: given['every'],
});

/** Reads a query with its fields beside it, or several. */
function questions(given: Given): Given {
  const { queries } = given;
  if (queries === undefined) return { queries: [question(given)] };
  const isList = Array.isArray(queries) && queries.every((one) => typeof one === 'object' && one !== null);
  return isList ? { queries: (queries as Given[]).map(question) } : given;
}

const nothing = (): Given => ({});
const tree = (given: Given): Given => ({ ...given, tree: true });
const listed = (given: Given): Given => ({ path: pathOf(given) });

const successors: Readonly<Record<string, Successor>> = {
  search_context: { tool: 'grep', toArguments: search },
  filter_context: { tool: 'grep', toArguments: search },
  retrieve: { tool: 'grep', toArguments: search },
  peek_context: { tool: 'read_file', toArguments: read },
  get_chunk: { tool: 'read_file', toArguments: read },
  describe_context: { tool: 'list_files', toArguments: nothing },
  list_contexts: { tool: 'list_files', toArguments: nothing },
  chunk_context: { tool: 'list_files', toArguments: nothing },
  parse_ast: { tool: 'extract_symbols', toArguments: tree },
  sub_query_batch: { tool: 'sub_query', toArguments: questions },
  llm_query: { tool: 'sub_query', toArguments: questions },
};

/** Tools of today that took other arguments before. */
const changed: Readonly<Record<string, Successor['toArguments']>> = {
  grep: search,
  list_files: listed,
  extract_symbols: (given) => ({ ...given, path: pathOf(given) }),
  sub_query: questions,
};

/** Names of replaced tools. */
export const oldNames: readonly string[] = Object.keys(successors);

const renamings = new Map(Object.entries(successors).map(([name, { tool }]) => [name, tool]));

const conversions = new Map([
  ...Object.entries(changed),
  ...Object.entries(successors).map(([name, { toArguments }]) => [name, toArguments] as const),
]);

/** Returns the name of the tool that a name means today. */
export const todaysName = (name: string): string => renamings.get(name) ?? name;

/** Returns the arguments for today's tool, without those that are undefined. */
export function todaysArguments(name: string, given: Given): Given {
  const converted = conversions.get(name)?.(given) ?? given;
  return Object.fromEntries(Object.entries(converted).filter(([, value]) => value !== undefined));
}
