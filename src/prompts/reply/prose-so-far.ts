import { withoutThinking } from './parse-reply.ts';

/** Matches an incomplete tag at the end, which may begin thinking. */
const openTag = /<\/?[a-z]{0,8}$/i;
/** Matches the beginning of JSON, fenced or not, or an empty reply. */
const json = /^(?:`{3}(?:json)?\s*)?(?:\{|\[\s*[{"]|$)/;
/** Matches the beginning of labelled text: `ANSWER:`. */
const label = /^[*_#` ]{0,9}\p{Lu}[\p{Lu} -]{2,29}[*_` ]{0,9}[:：]/u;

/**
 * Returns the part of an unfinished reply in prose that can be shown: without thinking, and empty where the reply
 * seems to have a form although none was requested.
 */
export function proseSoFar(text: string): string {
  const said = withoutThinking(text.replace(openTag, ''));
  return json.test(said) || label.test(said) ? '' : said;
}
