/** Letters whose main reason must be understood. Words of other reasons occur in asides. */
import { readFileSync } from 'node:fs';
import { readAll, write } from './phrases.ts';
import { createAsk, type Draft, type Made, type Texts } from './question.ts';
import { dayOf, type World } from './world.ts';

interface Section {
  readonly name: string;
  readonly notes: readonly string[];
  readonly lines: readonly string[];
}

/** Reads the sections of a file of phrases. */
function sectionsOf(world: World): readonly Section[] {
  const text = readFileSync(new URL(`data/${world.half}-post.txt`, import.meta.url), 'utf8');
  return text
    .split(/^== /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...lines] = part.trimEnd().split('\n');
      const [name = '', question, absent, ...never] = head.split(' | ');
      return { name, notes: [question ?? '', absent ?? '', never.join('|')], lines };
    });
}

interface Letter {
  readonly label: string;
  readonly month: string;
  readonly street: string;
  readonly text: string;
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];

/** Phrases of one part of a letter: 1 is its reason, 2 the rest. */
const part = (section: Section, number: string): readonly string[] =>
  section.lines.filter((line) => line.startsWith(number)).map((line) => line.slice(2));

function writeLetter(world: World, parts: Readonly<Record<string, Section>>, label: Section, number: number): Letter {
  const { random } = world;
  const slots = () => ({ day: random.pick(days), month: random.pick(months) });
  const say = (lines: readonly string[]) => write(random.pick(lines), random, slots());
  const asides = random
    .shuffle(parts['aside']!.lines)
    .slice(0, 1 + random.below(4))
    .map((line) => say([line]));
  const body = [say(part(label, '1')), say(part(label, '2'))].join(' ');
  const [before, after] = random.below(2) === 0 ? [asides, []] : [asides.slice(1), asides.slice(0, 1)];
  const text = [say(parts['open']!.lines), ...before, body, ...after].join(random.below(3) === 0 ? '\n\n' : ' ');
  const date = dayOf(random.below(300));
  const street = random.pick(world.streets);
  const from = `${random.pick(world.people)}, ${street}${world.half === 'dev' ? ` ${1 + random.below(60)}` : ''}`;
  const letter = `--- ${number} ---\n${date}\n${from}\n\n${text}\n\n${say(parts['close']!.lines)}\n`;
  return { label: label.name, month: date.split(' ')[1]!, street, text: letter };
}

/** Reads the letters back, and returns the label of each, by the phrase of its reason. */
function readLetters(text: string, labels: readonly Section[]): readonly Letter[] {
  return text
    .split(/^--- \d+ ---\n/m)
    .slice(1)
    .map((letter) => {
      const found = labels.filter((label) => readAll(part(label, '1'), letter).length > 0);
      const [date = '', from = ''] = letter.split('\n');
      const street = from.split(', ')[1]!.replace(/ \d+$/, '');
      return { label: found.map(({ name }) => name).join('+'), month: date.split(' ')[1]!, street, text: letter };
    });
}

const countOf = (letters: readonly Letter[], label: string, where: (letter: Letter) => boolean = () => true): number =>
  letters.filter((letter) => letter.label === label && where(letter)).length;

/** Returns the label with the most letters. */
function mostFrequent(letters: readonly Letter[], labels: readonly Section[]): string {
  return [...labels].sort((a, b) => countOf(letters, b.name) - countOf(letters, a.name))[0]!.name;
}

const writers = { dev: 'letters of tenants to their landlord', test: 'messages of passengers to a ferry company' };

function countDrafts(world: World, path: string, labels: readonly Section[], letters: readonly Letter[]): Draft[] {
  const [a, b, c] = world.random.shuffle(labels);
  const street = world.random.pick(world.streets);
  const reasons = labels.map(({ name, notes }) => `"${name}" (they ${notes[0]})`).join(', ');
  const lettersOf = (texts: Texts) => readLetters(texts.get(path)!, labels);
  const ask = createAsk(path);
  function count(id: string, section: Section, where: (letter: Letter) => boolean): Draft {
    const right = countOf(letters, section.name, where);
    const slots = { letters: writers[world.half], reason: section.notes[0]!, street };
    const gold = { number: right, tolerance: Math.floor(right / 30) };
    return ask(id, slots, gold, (texts) => countOf(lettersOf(texts), section.name, where));
  }
  const most = mostFrequent(letters, labels);
  return [
    count('meaning-0', a!, () => true),
    count('meaning-1', b!, ({ month }) => ['March', 'April', 'May'].includes(month)),
    count('meaning-2', c!, (letter) => letter.street === street),
    ask(
      'meaning-3',
      { letters: writers[world.half], reasons },
      { target: most, choices: labels.map(({ name }) => name) },
      (texts) => mostFrequent(lettersOf(texts), labels),
    ),
    count('meaning-4', b!, () => true),
  ];
}

/** Makes the letters of a half. */
export function makePost(world: World): Made {
  const { random } = world;
  const path = `${world.half}/letters.txt`;
  const sections = sectionsOf(world);
  const labels = sections.slice(0, 5);
  const parts = Object.fromEntries(sections.map((section) => [section.name, section]));
  const weights = random.shuffle([25, 32, 39, 45, 54]);
  const order = random.shuffle(labels.flatMap((label, index) => Array(weights[index]).fill(label) as Section[]));
  const letters = order.map((label, index) => writeLetter(world, parts, label, index + 1));
  const fact = parts['fact']!;
  const thing = random.pick(parts['things']!.lines);
  const at = 40 + random.below(90);
  const longer = letters[at]!.text.replace(/\n\n(?=[^\n]*\n$)/, ` ${write(fact.lines[0]!, random, { thing })}\n\n`);
  const all = letters.map((letter, index) => (index === at ? { ...letter, text: longer } : letter));
  const [asked = '', absent = '', never = ''] = fact.notes;
  const told = thing.replace(/^(?:the|an?) /, '');
  const ask = createAsk(path, (id) => (id === 'look-up-0' ? asked : absent));
  const lookUp = ask('look-up-0', {}, told, (texts) =>
    readAll(fact.lines, texts.get(path)!)[0]?.['thing']?.replace(/^(?:the|an?) /, ''),
  );
  const missing = ask('absent-4', {}, null, (texts) => !new RegExp(`\\b(?:${never})\\b`).test(texts.get(path)!));
  const drafts = [...countDrafts(world, path, labels, all), lookUp, missing];
  return { texts: new Map([[path, all.map(({ text }) => text).join('\n')]]), drafts };
}
