import { beginning } from '../../../base/text.ts';

/** Returns a file's name for a model, in quotes if it could be mistaken for other text. */
export function shownName(name: string): string {
  const isPlain = name !== '' && !/[\p{C}\p{Zl}\p{Zp}"]|^\s|\s$|\s{2}/u.test(name);
  const short = name.length > 300 ? `${beginning(name, 300)}…` : name;
  return isPlain ? short : JSON.stringify(short).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
}

const escaped = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;
