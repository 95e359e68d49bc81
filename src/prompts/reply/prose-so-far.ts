import { withoutThinking } from './parse-reply.ts';

/** A tag that is not whole yet: it may begin thinking. */
const openTag = /<\/?[a-z]{0,8}$/i;
/** How JSON begins, fenced or not, and a reply of which nothing else has come. */
const json = /^(?:`{3}(?:json)?\s*)?(?:\{|\[\s*[{"]|$)/;
/** How labelled text begins: `ANSWER:`. */
const label = /^[*_#` ]{0,9}\p{Lu}[\p{Lu} -]{2,29}[*_` ]{0,9}[:：]/u;

/**
 * What can be shown of a reply in prose before it has ended: not thinking, and nothing of one that seems to have a form
 * although none was asked.
 */
export function proseSoFar(text: string): string {
  const said = withoutThinking(text.replace(openTag, ''));
  return json.test(said) || label.test(said) ? '' : said;
}
