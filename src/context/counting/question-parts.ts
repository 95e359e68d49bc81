import { type Criterion, timeOfDay } from './criteria.ts';

const quoted = /"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`|(?<=^|\s)'([^'\n]+)'(?=$|[\s?.,;:!])/g;
const written = /[^\s"“”`?!,;()]+/g;

/** Whether a token is a name of its own: in capitals, with digits or underscores, or with capitals inside. */
function isToken(token: string, hasLowerCase: boolean): boolean {
  if (/[\d_=]/.test(token)) return true;
  if (/^[\p{L}_$][\w$]*(?:\.[\p{L}_$][\w$]*)+$/u.test(token) && !/^(?:e\.g|i\.e|a\.m|p\.m)$/i.test(token)) return true;
  return (hasLowerCase && /^[A-Z][A-Z.:-]*[A-Z]$/.test(token)) || /[a-z][A-Z]/.test(token);
}

interface Split {
  readonly tokens: readonly string[];
  /** The question without them. */
  readonly rest: string;
}

/** The tokens of a question that are to be taken letter by letter. */
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

/** What limits a count, such as `before 14:00`: no line is chosen by it. */
export const limits = /\b(?:before|after|since|until|between|and|than|from|to)\s+(?:the )?\d[\d:.,T-]*\w*/gi;

const sided = /,?\s*\b(before|after|since|until|from)\s+(\d{1,2}:\d\d(?::\d\d)?)(?!\S*\d)(?:\s?(?:h|o'clock|utc)\b)?/gi;
const ranged = /,?\s*\bbetween\s+(\d{1,2}:\d\d(?::\d\d)?)\s+and\s+(\d{1,2}:\d\d(?::\d\d)?)(?!\S*\d)/gi;

/** Takes the times of day out by which lines are chosen, as criteria. */
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
  /** The question without their names. */
  readonly rest: string;
}

/** The documents that a question names, by their whole name or its last part. */
export function splitNames(question: string, names: readonly string[]): Named {
  const words = new Map(question.split(/\s+/).map((one) => [one.replace(/^["'`(]+|["'`)?.,:;!]+$/g, ''), one]));
  const asked = (name: string) => [name, name.slice(name.lastIndexOf('/') + 1)].find((one) => words.has(one));
  const documents = names.filter((name) => asked(name) !== undefined);
  if (documents.length === 0) return { documents: undefined, rest: question };
  const rest = documents.reduce((text, name) => text.replaceAll(words.get(asked(name)!)!, ' '), question);
  return { documents, rest };
}
