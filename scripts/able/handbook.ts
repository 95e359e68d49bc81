/** A handbook in two editions: rules that change, move, or only get other words. */
import { readFileSync } from 'node:fs';
import { readAll, write } from './phrases.ts';
import { createAsk, type Made, wordingOf } from './question.ts';
import type { World } from './world.ts';

interface Rule {
  readonly title: string;
  readonly phrase: string;
  /** The rule in other words. */
  readonly asked: string;
  /** A related question that the handbook does not answer, and a pattern that an answer would match. */
  readonly near: { readonly question: string; readonly never: RegExp } | null;
}

/** The content of a rule in one edition. */
interface Version {
  readonly number: number;
  readonly role: string;
}

type Edition = ReadonlyMap<Rule, Version>;

const linesOf = (name: string): readonly string[] =>
  readFileSync(new URL(`data/${name}.txt`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');

const roles = [
  'head of stores',
  'works doctor',
  'yard master',
  'bursar',
  'duty engineer',
  'chief clerk',
  'porter',
  'safety warden',
];

const consent = [
  'Exceptions [are the business of|are for] the {role}[| alone|, who gives reasons].',
  '[Nothing beyond this goes|No one may go beyond this] without the [nod|hand] of the {role}.',
  'Should more be wanted, the {role} [is to be asked|has the last word].',
];

const rules: readonly Rule[] = linesOf('rules').map((line) => {
  const [title = '', phrase = '', asked = '', question, ...never] = line.split(' | ');
  const near = question === undefined ? null : { question, never: new RegExp(`\\b(?:${never.join('|')})\\b`, 'i') };
  return { title, phrase, asked, near };
});

const fillers = linesOf('handbook');

function writeEdition(
  { random, organisation }: World,
  edition: Edition,
  annex: ReadonlyMap<Rule, number>,
  name: string,
): string {
  const sections = random.shuffle([...edition]).map(([rule, { number, role }], index) => {
    const told = [write(rule.phrase, random, { n: number }), write(random.pick(consent), random, { role })];
    const more = random
      .shuffle(fillers)
      .slice(0, 20)
      .map((phrase) => write(phrase, random));
    const lines = random.shuffle([...told, ...more]);
    return `## ${index + 1}. ${rule.title}\n\n${lines.slice(0, 12).join(' ')}\n\n${lines.slice(12).join(' ')}\n`;
  });
  const figures = random.shuffle([...annex]).map(([{ title }, number]) => `- ${title}: ${number}\n`);
  return `# ${organisation}: handbook, ${name} edition\n\n${sections.join('\n')}\n## Annex: the figures at a glance\n\n${figures.join('')}`;
}

/** Reads from an edition the number and the role of each title, and the numbers of the annex. */
function readEdition(text: string) {
  const parts = text.split(/^## /m).slice(1);
  const sections = new Map(
    parts.slice(0, -1).map((part) => {
      const title = part.slice(part.indexOf('. ') + 2, part.indexOf('\n'));
      const { phrase } = rules.find((rule) => rule.title === title)!;
      return [title, { number: readAll([phrase], part)[0]?.['n'], role: readAll(consent, part)[0]?.['role'] }];
    }),
  );
  const annex = new Map([...parts.at(-1)!.matchAll(/^- (.+): (\d+)$/gm)].map(([, title, number]) => [title!, number!]));
  return { sections, annex };
}

type Read = ReturnType<typeof readEdition>;

/** Makes the two editions of a half. */
export function makeHandbook(world: World): Made {
  const { random, half } = world;
  const folder = `${half}/handbook`;
  const [one, two] = [`${folder}/first-edition.md`, `${folder}/second-edition.md`];
  const own = random.shuffle(rules.filter((_, index) => index % 2 === (half === 'dev' ? 0 : 1)));
  const near = own.find((rule) => rule.near !== null)!;
  const kept = own.filter((rule) => rule !== near);
  const first: Edition = new Map(own.map((rule) => [rule, { number: 6 + random.below(80), role: random.pick(roles) }]));
  const dropped = kept.slice(0, 3);
  const raised = kept.slice(3, 3 + 4 + random.below(4));
  const lowered = kept.slice(11, 14);
  const moved = kept.slice(14, 17);
  const second: Edition = new Map(
    own
      .filter((rule) => !dropped.includes(rule))
      .map((rule) => {
        const { number, role } = first.get(rule)!;
        const by = raised.includes(rule) ? 1 + random.below(9) : lowered.includes(rule) ? -1 - random.below(5) : 0;
        const other = moved.includes(rule) ? random.pick(roles.filter((name) => name !== role)) : role;
        return [rule, { number: number + by, role: other }];
      }),
  );
  const wrong = kept[17]!;
  const figures = (edition: Edition) => new Map([...edition].map(([rule, { number }]) => [rule, number]));
  const twisted = new Map(figures(second)).set(wrong, second.get(wrong)!.number + 3);
  const texts = new Map([
    [one, writeEdition(world, first, figures(first), 'first')],
    [two, writeEdition(world, second, twisted, 'second')],
  ]);
  const [changed, looked, shifted] = [lowered[0]!, raised[0]!, moved[0]!];
  const asked = createAsk(folder, (id) => (id === 'absent-2' ? near.near!.question : wordingOf(id)));
  const ask = (
    id: string,
    rule: Rule | null,
    right: Parameters<typeof asked>[2],
    check: (first: Read, second: Read) => unknown,
  ) =>
    asked(id, { asked: rule?.asked ?? '' }, right, (all) =>
      check(readEdition(all.get(one)!), readEdition(all.get(two)!)),
    );
  const both = (rule: Rule, field: keyof Version) =>
    [first, second].map((edition) => String(edition.get(rule)![field]));
  const again = (rule: Rule, field: keyof Version) => (old: Read, now: Read) =>
    [old, now].map(({ sections }) => sections.get(rule.title)?.[field]);
  const numberOf = ({ sections }: Read, title: string) => Number(sections.get(title)!.number);
  const drafts = [
    ask('change-0', changed, both(changed, 'number'), again(changed, 'number')),
    ask('change-1', null, { targets: dropped.map(({ title }) => title).sort() }, (old, now) =>
      [...old.sections.keys()].filter((title) => !now.sections.has(title)).sort(),
    ),
    ask(
      'change-2',
      null,
      raised.length,
      (old, now) => [...now.sections.keys()].filter((title) => numberOf(now, title) > numberOf(old, title)).length,
    ),
    ask(
      'change-3',
      null,
      wrong.title,
      (_, now) =>
        [...now.annex]
          .filter(([title, number]) => numberOf(now, title) !== Number(number))
          .join()
          .split(',')[0],
    ),
    ask('change-4', shifted, both(shifted, 'role'), again(shifted, 'role')),
    ask('look-up-4', looked, second.get(looked)!.number, (_, now) => numberOf(now, looked.title)),
    asked('absent-2', {}, null, (all) => ![one, two].some((path) => near.near!.never.test(all.get(path)!))),
  ];
  return { texts, drafts };
}
