import type { Fields } from './fields.ts';
import { splitBelow } from './labelled-reply.ts';
import { withoutThinking } from './parse-reply.ts';

/** Matches an incomplete tag at the end, which may begin thinking. */
const openTag = /<\/?[a-z]{0,8}$/i;
/** Matches the beginning of JSON, fenced or not, or an empty reply. */
const json = /^(?:`{3}(?:json)?\s*)?(?:\{|\[\s*[{"]|$)/;
/** Matches the beginning of labelled text: `ANSWER:`. */
const label = /^[*_#` ]{0,9}\p{Lu}[\p{Lu} -]{2,29}[*_` ]{0,9}[:：]/u;

/** Matches the last line while it may still become a label. */
const openLabel = /\n[ \t*_#`]{0,9}[\p{Lu} ]{0,30}$/u;

/**
 * Returns the part of an unfinished reply in prose that can be shown: without thinking and the labelled fields below
 * it, and empty where the reply seems to have a form although none was requested.
 * @param below the fields that the prompt asks for below the text.
 */
export function proseSoFar(text: string, below: Fields): string {
  const said = withoutThinking(text.replace(openTag, ''));
  if (json.test(said) || label.test(said)) return '';
  const { above, below: rest } = splitBelow(below, said);
  return rest === '' && Object.keys(below).length > 0 ? said.replace(openLabel, '') : above;
}
