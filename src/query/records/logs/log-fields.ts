import { isNumber } from '../tables/typed-table.ts';

const pair = /([A-Za-z_][\w.-]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,)\]}"]+))/g;
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

function toJson(text: string): string {
  if (isNumber(text)) return text;
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Returns the members of the JSON object at the end of a message; '' where there is none. */
function membersOf(text: string): string {
  const start = text.indexOf('{"');
  if (start === -1 || !text.endsWith('}')) return '';
  try {
    return JSON.stringify(JSON.parse(text.slice(start))).slice(1, -1);
  } catch {
    return ''; // It is not JSON: the message has it as it is.
  }
}

/** Returns the `key=value` pairs and the JSON object of a message as JSON; null where it has none. */
export function fieldsOf(text: string): string | null {
  let json = '';
  if (text.includes('=')) {
    pair.lastIndex = 0;
    for (let found = pair.exec(text); found !== null; found = pair.exec(text)) {
      const value = found[2] === undefined ? toJson(found[3]!) : JSON.stringify(found[2]);
      json += `${json === '' ? '' : ','}"${found[1]!}":${value}`;
    }
  }
  const members = text.includes('{"') ? membersOf(text.trimEnd()) : '';
  if (members !== '') json = json === '' ? members : `${json},${members}`;
  return json === '' ? null : `{${json}}`;
}
