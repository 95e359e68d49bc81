import { type Criterion, timeOfDay } from './criteria.ts';

const quoted = /"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`|(?<=^|\s)'([^'\n]+)'(?=$|[\s?.,;:!])/g;
const written = /[^\s"“”`?!,;()]+/g;

/** Whether a token is an identifier: all capitals, with digits or underscores, or with inner capitals. */
function isToken(token: string, hasLowerCase: boolean): boolean {
  if (/[\d_=]/.test(token)) return true;
  if (/^[\p{L}_$][\w$]*(?:\.[\p{L}_$][\w$]*)+$/u.test(token) && !/^(?:e\.g|i\.e|a\.m|p\.m)$/i.test(token)) return true;
  return (hasLowerCase && /^[A-Z][A-Z.:-]*[A-Z]$/.test(token)) || /[a-z][A-Z]/.test(token);
}

interface Split {
  readonly tokens: readonly string[];
  /** The question without the tokens. */
  readonly rest: string;
}

/** Splits a question into tokens that are matched literally, and the rest. */
export function splitTokens(question: string): Split {
  const tokens: string[] = [];
  const hasLowerCase = /[a-z]/.test(question);
  const unquoted = question.replace(quoted, (_, ...groups) => {
    tokens.push(groups.slice(0, 4).find((group) => group !== undefined));
    return ' ';
  });
  const rest = unquoted.replace(written, (found) => {
    const token = found.replace(/^[.:'’]+|[.:'’]+$/g, '');
    if (!isToken(token, hasLowerCase)) return found;
    tokens.push(token);
    return ' ';
  });
  return { tokens: [...new Set(tokens)], rest };
}

/** Matches limits of a count, such as `before 14:00`, which are no criteria. */
export const limits = /\b(?:before|after|since|until|between|and|than|from|to)\s+(?:the )?\d[\d:.,T-]*\w*/gi;

const sided = /,?\s*\b(before|after|since|until|from)\s+(\d{1,2}:\d\d(?::\d\d)?)(?!\S*\d)(?:\s?(?:h|o'clock|utc)\b)?/gi;
const ranged = /,?\s*\bbetween\s+(\d{1,2}:\d\d(?::\d\d)?)\s+and\s+(\d{1,2}:\d\d(?::\d\d)?)(?!\S*\d)/gi;

/** Removes times of day that select lines from a question, and returns them as criteria. */
export function takeTimes(question: string): { readonly times: readonly Criterion[]; readonly rest: string } {
  const times: Criterion[] = [];
  const rest = question
    .replace(ranged, (_, from: string, to: string) => {
      times.push(timeOfDay('from', from), timeOfDay('before', to));
      return ' ';
    })
    .replace(sided, (_, side: string, time: string) => {
      times.push(timeOfDay(/^(?:before|until)$/i.test(side) ? 'before' : 'from', time));
      return ' ';
    });
  return { times, rest };
}

interface Named {
  readonly documents: readonly string[] | undefined;
  /** The question without the names. */
  readonly rest: string;
}

/** Finds the documents that a question names, by their whole name or its last part. */
export function splitNames(question: string, names: readonly string[]): Named {
  const words = new Map(question.split(/\s+/).map((one) => [one.replace(/^["'`(]+|["'`)?.,:;!]+$/g, ''), one]));
  const asked = (name: string) => [name, name.slice(name.lastIndexOf('/') + 1)].find((one) => words.has(one));
  const documents = names.filter((name) => asked(name) !== undefined);
  if (documents.length === 0) return { documents: undefined, rest: question };
  const rest = documents.reduce((text, name) => text.replaceAll(words.get(asked(name)!)!, ' '), question);
  return { documents, rest };
}
