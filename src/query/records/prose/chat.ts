import { columnsNamed, type FindTables, firstLines, type ReadRows, recordLines, tableOf } from '../reader.ts';
import { createTimeReader, type TimeReader } from '../times.ts';

const columns = columnsNamed('time timeText speaker text');

const kinds: readonly string[] = ['text', 'Markdown'];
const name = String.raw`\p{L}[\p{L}\p{N}._'@-]*(?: [\p{L}\p{N}][\p{L}\p{N}._'-]*){0,3}`;
/** A time of day, with or without brackets: `[10:02]`, `10:02:31`, `(9:05 PM)`. */
const clock = /^[[(]?(\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?)[\])]?/i;
/** A telephone number. Messengers show it in place of the name of an unknown contact. */
const telephone = String.raw`\+\d[\d ()-]{5,20}\d`;
const speech = new RegExp(
  String.raw`^\s*(?:[-–|]\s*)?(?:<(${name})>|(?:\*\*|__)?[@~]? ?(${name}|${telephone})(?:\*\*|__)?:(?:\*\*|__)?)\s+(.*)$`,
  'su',
);
const fewestMessages = 3;
/** Minimum share of messages among the lines. In a short chat, many lines are notices of the messenger. */
const leastShare = { timed: 0.4, untimed: 0.5 };
/** Minimum average number of messages per speaker. A list of `Key: value` lines has about one. */
const messagesPerSpeaker = { timed: 1.2, untimed: 1.5 };
const level = /^(?:trace|debug|info|notice|warn(?:ing)?|err(?:or)?|fatal|critical|note|todo|https?)$/i;

const logLine =
  /^[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d |^\W{0,2}\d{2,4}[-/:.]\d\d.{5,60}\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL)\b/;
const logShare = 0.2;

function messageOf(line: number, text: string, times: TimeReader) {
  const read = times.read(text);
  const ofDay = read === null ? clock.exec(text) : null;
  const rest = text.slice(read?.end ?? ofDay?.[0].length ?? 0);
  const [, angle, plain, said] = speech.exec(rest) ?? [];
  const speaker = angle ?? plain;
  if (speaker === undefined || level.test(speaker)) return null;
  return { line, time: read?.time ?? null, timeText: read?.text ?? ofDay?.[1] ?? null, speaker, text: said! };
}

/** If at least this share of the messages has a time, a line without a time is not a message. */
const timedShare = 0.8;

/**
 * A line without a speaker continues the message above it. If messages have times, a line without a time also continues
 * the message above it.
 */
const rowsOf: ReadRows = function* (document, reading) {
  const times = reading.times();
  const first = firstLines(document, 100).flatMap((line) => messageOf(0, line, times) ?? []);
  const areTimed = first.filter(({ timeText }) => timeText !== null).length >= timedShare * first.length;
  let open: ReturnType<typeof messageOf> = null;
  const row = ({ line, time, timeText, speaker, text }: NonNullable<typeof open>) => ({
    line,
    values: [time, timeText, speaker, text.trimEnd()],
  });
  for (const { line, text } of recordLines(document)) {
    const read = messageOf(line, text, times);
    const message = areTimed && read?.timeText === null ? null : read;
    if (message === null) {
      // A dated line, such as a notice of the messenger, is not part of the message above.
      const isNotice = open !== null && open.time !== null && times.read(text) !== null;
      if (open !== null && !isNotice) open.text += `\n${text}`;
      else if (text.trim() !== '') yield { line, problem: 'without a speaker' };
      if (!isNotice) continue;
    }
    if (open !== null) yield row(open);
    open = message;
  }
  if (open !== null) yield row(open);
};

/** Whether the speakers are fields of records: three names or more in one order, of which each record has most. */
function areFields(speakers: readonly string[]): boolean {
  const names = [...new Set(speakers)];
  const places = speakers.map((speaker) => names.indexOf(speaker));
  const records = places.filter((place) => place === 0).length;
  const isInOrder = places.every((place, at) => place === 0 || place > places[at - 1]!);
  return names.length > 2 && isInOrder && 4 * places.length >= 3 * names.length * records;
}

/** Finds a chat or a transcript: `Ana: hi`, `[10:02] Ana: hi`, `17/03/2026, 13:42 - Ana: hi`, `<ana> hi`. */
export const findChat: FindTables = (document) => {
  if (!kinds.includes(document.kind)) return [];
  const times = createTimeReader(null);
  const lines = firstLines(document, 100);
  if (lines.filter((line) => logLine.test(line)).length >= logShare * lines.length) return [];
  const messages = lines.flatMap((line) => messageOf(0, line, times) ?? []);
  const different = new Set(messages.map(({ speaker }) => speaker)).size;
  const areTimed = messages.every(({ timeText }) => timeText !== null);
  if (!areTimed && areFields(messages.map(({ speaker }) => speaker))) return [];
  const share = areTimed ? leastShare.timed : leastShare.untimed;
  const isEnough = messages.length >= fewestMessages && messages.length >= share * lines.length;
  const turns = messages.filter(({ speaker }, at) => speaker !== messages[at - 1]?.speaker).length;
  // In a chat, a speaker speaks again after another one. In meeting notes, three lines `Action: …` may be adjacent.
  const isInTurn = different > 1 && (areTimed || turns > different);
  const areRepeated = messages.length >= messagesPerSpeaker[areTimed ? 'timed' : 'untimed'] * different;
  return isEnough && isInTurn && areRepeated ? tableOf('chat', columns, document, rowsOf) : [];
};
