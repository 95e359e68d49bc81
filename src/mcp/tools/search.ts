import * as z from 'zod/mini';
import { wholeNumber, words } from '../parameters.ts';
import { located } from '../text/locate.ts';
import { type LocatedText, withDocumentText } from '../text/with-text.ts';
import { type Call, mcpTool } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

const input = z.object({
  query: z.optional(words('Words to search for; the best passages are returned.')),
  pattern: z.optional(words('A regular expression, instead of query; every matching line is returned.')),
  context: z.optional(words('Name of a loaded context.')),
  paths: z.optional(z.array(z.string()).check(z.describe('Files, folders and globs, instead of a context.'))),
  ignore_case: z._default(z.boolean().check(z.describe('Whether pattern ignores case.')), false),
  limit: z._default(wholeNumber(1, 200, 'Maximum number of passages or lines.'), 10),
});

type Given = z.infer<typeof input>;

const output = z.object({
  found: z.array(z.object({ source: z.string(), start_line: z.number(), end_line: z.number(), text: z.string() })),
  more: z.number().check(z.describe('Matches that are not shown; a lower bound when the search stopped early.')),
});

type Found = z.infer<typeof output>;

const longestText = 3_000;
/** For all matches together, in UTF-16 units. Some clients hide a longer result from their model. */
const mostText = 40_000;

/** Keeps as many matches as a client shows, at least one, and counts the others. */
function within(found: Found['found'], more: number): Found {
  let length = 0;
  const shown = found.filter(({ text }, index) => {
    length += text.length;
    return index === 0 || length <= mostText;
  });
  return { found: shown, more: more + found.length - shown.length };
}

async function find(
  { query, pattern, ignore_case: ignoreCase, limit }: Given,
  call: Call,
  { context, locate }: LocatedText,
): Promise<Found> {
  const { signal } = call;
  if (pattern !== undefined) {
    const { matches, more } = await context.search(pattern, { ignoreCase, limit, signal });
    const found = matches.map(({ source, line, text }) => {
      const place = locate(source, line);
      return { source: place.source, start_line: place.line, end_line: place.line, text };
    });
    return within(found, more);
  }
  const passages = await context.passages(query!, { limit, signal });
  const found = passages
    .map((passage) => located(passage, locate))
    .map(({ source, startLine, endLine, text }) => ({
      source,
      start_line: startLine,
      end_line: endLine,
      text: text.length > longestText ? `${text.slice(0, longestText)}…` : text,
    }));
  return within(found, 0);
}

export const searchTool = mcpTool<Given, Found>({
  name: 'rlm_search',
  title: 'Search a large text',
  about:
    'Finds passages by words, or every line that matches a pattern, in a loaded context or in files. Calls no model. Use it to look something up; use rlm_ask to answer a question.',
  input,
  output,
  isReadOnly: true,
  isIdempotent: true,
  asksModel: false,
  async run(given, call) {
    const { query, pattern, context, paths } = given;
    if ((query === undefined) === (pattern === undefined))
      throw new ToolFailure('invalid_arguments', 'Give either query or pattern.');
    return withDocumentText({ context, paths }, call, (text) => find(given, call, text));
  },
  toText: ({ found, more }) =>
    found.length === 0
      ? 'Nothing was found.'
      : [
          ...found.map(({ source, start_line: from, end_line: to, text }) =>
            from === to ? `${source}:${from}: ${text}` : `${source}:${from}-${to}\n${text}\n`,
          ),
          ...(more > 0 ? [`More matches, not shown: ${more}.`] : []),
        ].join('\n'),
});
