/** Minutes, a staff list, a register and a supplier list, with facts for look-ups, hops, order and duration. */
import { readFileSync } from 'node:fs';
import { readAll, type Slots, write } from './phrases.ts';
import { createAsk, type Draft, type Gold, type Made, type Texts } from './question.ts';
import { dayOf, daysOf, type World } from './world.ts';

/** The forms of the sentences that state facts. No other sentence of the texts has these forms. */
const facts = {
  leads: [
    '[After some hesitation|With no other hand raised], {name} took the renewal at {site} upon [himself|herself|trust].',
    'The renewal at {site} was laid in the hands of {name}, [who asked for two clerks|as had been expected].',
    'It fell to {name} to see {site} renewed, [with the means of the last plan|and the others were glad of it].',
  ],
  approved: [
    'The works at {site} [may now begin|were voted through], [eight to three|without a voice against|after an hour].',
    'Money for {site} [was released|is granted] [in full|as asked], and [digging starts when the ground allows|so the thing is on its way].',
  ],
  accepted: [
    'At {site} the last list of defects [is ticked off|has been closed], and [the house takes the plant over|it is ours now].',
    'The builders have handed {site} over, [sober and on budget|with a bottle on the sill], and [nothing is left to do|the fence is down].',
  ],
  office: [
    '{name} [has a desk in|works from|is to be met in] {town}[ on most days|, up two flights|, next to the post room].',
    'Visitors who look for {name} should [take the train to|go to] {town}[| and bring patience].',
  ],
  deputy: [
    '[When|Whenever] {name} is [away|on leave|ill], {deputy} [signs|opens the post|takes the calls].',
    'The [pen|desk] of {name} [passes to|is minded by] {deputy} [in the holidays|at such times].',
  ],
  delivered: [
    'What turns at {site} today [left the yard of|was cast and fitted by] {firm}[ in one piece|, after two other firms had failed].',
    'The plate [beside the door|on the frame] at {site} [reads|bears the name of] {firm}[, half painted over|].',
  ],
  seat: [
    '{firm} [casts and assembles in|keeps its sheds in|sends its bills from] {town}[|, by the canal|, in the old mill].',
  ],
  year: ['[It first ran in|It has done its duty since|The tape was cut in] {year}[|, in the rain|, two years late].'],
  weight: ['[On the scale|Empty], [it comes to|it brings] {weight} kilograms.'],
} as const;

type Fact = keyof typeof facts;

interface Project {
  readonly site: string;
  readonly leader: string;
  /** Dates of the meetings, in days after 1 January 2023; null: that meeting never took place. */
  readonly approved: number | null;
  readonly accepted: number | null;
}

interface Office {
  readonly projects: readonly Project[];
  readonly meetings: readonly number[];
  readonly towns: ReadonlyMap<string, string>;
  readonly deputies: ReadonlyMap<string, string>;
  readonly firms: ReadonlyMap<string, string>;
  readonly years: ReadonlyMap<string, string>;
  readonly weights: ReadonlyMap<string, string>;
  readonly seats: ReadonlyMap<string, string>;
}

const mapOf = <T>(items: readonly string[], value: (item: string, index: number) => T): ReadonlyMap<string, T> =>
  new Map(items.map((item, index) => [item, value(item, index)]));

function createOffice({ random, people, sites, towns, firms }: World): Office {
  const staff = people.slice(0, 60);
  const meetings = Array.from({ length: 34 }, (_, index) => 9 + index * 21 + random.below(9));
  const leaders = random.shuffle(staff);
  const projects = sites.slice(0, 24).map((site, index): Project => {
    const first = random.below(20);
    const approved = index < 20 ? meetings[first]! : null;
    return {
      site,
      leader: leaders[index]!,
      approved,
      accepted: index < 12 ? meetings[first + 3 + random.below(10)]! : null,
    };
  });
  const ring = random.shuffle(staff);
  const suppliers = random.shuffle(firms);
  return {
    projects,
    meetings,
    towns: mapOf(staff, () => random.pick(towns.slice(0, 12))),
    deputies: mapOf(ring, (_, index) => ring[(index + 1) % ring.length]!),
    firms: mapOf(sites, (_, index) => suppliers[index % suppliers.length]!),
    years: mapOf(sites, () => String(1931 + random.below(80))),
    weights: mapOf(sites, () => String(410 + random.below(5000))),
    // No firm has its seat in a town where somebody works, so that a wrong hop leads to another town.
    seats: mapOf(suppliers, (_, index) => towns[12 + index]!),
  };
}

const fillers = readFileSync(new URL('data/minutes.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** Writes a sentence that states a fact. */
const tell = (world: World, fact: Fact, slots: Readonly<Record<string, string>>): string =>
  write(world.random.pick(facts[fact]), world.random, slots);

function filler({ random, people, sites, articles }: World): string {
  const [person, other] = random.shuffle(people.slice(0, 60));
  const month = random.pick(['January', 'March', 'May', 'June', 'September', 'November']);
  const slots = { person: person!, other: other!, month, site: random.pick(sites), n: 3 + random.below(900) };
  return write(random.pick(fillers), random, { ...slots, article: random.pick(articles) });
}

const fillersOf = (world: World, count: number): readonly string[] =>
  Array.from({ length: count }, () => filler(world));

function writeMinutes(world: World, { projects, meetings }: Office): string {
  const { random } = world;
  const begun = projects.map(({ approved }) => meetings.indexOf(approved ?? meetings[20]!));
  const parts = meetings.map((day, index) => {
    const told = projects.flatMap((project, at) => [
      ...(project.approved === day ? [tell(world, 'approved', { site: project.site })] : []),
      ...(project.accepted === day ? [tell(world, 'accepted', { site: project.site })] : []),
      ...(begun[at]! + 1 === index ? [tell(world, 'leads', { site: project.site, name: project.leader })] : []),
    ]);
    const lines = random.shuffle([...told, ...fillersOf(world, 34 + random.below(14))]);
    const present = random.shuffle(world.people.slice(0, 60)).slice(0, 7).join(', ');
    const items = lines.map((line, at) => (at % 3 === 0 ? `\n\n${at / 3 + 1}. ${line}` : ` ${line}`)).join('');
    return `## Sitting of ${dayOf(day)}\n\nPresent: ${present}.${items}\n`;
  });
  return `# ${world.organisation}: minutes\n\n${parts.join('\n')}`;
}

const habits = [
  '[Keeps bees.|Speaks four languages, two of them well.|Plays the horn in the works band.|Cannot abide the lift.]',
  '[Came to us from the merchant navy|Began as a messenger|Was hired for one summer] in {year} and [stayed|never left].',
  '[Looks after|Has charge of|Is the one to ask about] [tenders|the archive|wages|the vehicles|permits|drawings|the stores].',
  'Before that, {other} had [the same duties|this desk], and [the files are still in that hand|one notices].',
  '[Half days on Fridays.|Not to be rung before nine.|Answers letters, never the telephone.]',
];

function writePeople(world: World, { towns, deputies }: Office, without: string): string {
  const paragraphs = [...towns].map(([name, town]) => {
    const slots = () => ({ year: 1975 + world.random.below(45), other: world.random.pick(world.people) });
    const deputy = name === without ? [] : [tell(world, 'deputy', { name, deputy: deputies.get(name)! })];
    const more = world.random
      .shuffle(habits)
      .slice(0, 3)
      .map((phrase) => write(phrase, world.random, slots()));
    return world.random.shuffle([tell(world, 'office', { name, town }), ...deputy, ...more]).join(' ');
  });
  return `# Who is who at the ${world.organisation}\n\n${paragraphs.join('\n\n')}\n`;
}

const conditions = [
  '[Paint good, floor less so.|Rust at the foot of the ladder.|Swallows nest in the vent; leave them.]',
  '[The key is a copy of a copy.|The door sticks in wet weather.|Two bolts of the cover are missing.]',
  '[Last looked over in {month}, by lamplight.|The log of hours begins anew with number {n}.]',
  '[Spare parts: {n}, in a crate that says something else.|The manual is in the wrong language.]',
];

function writeRegister(world: World, office: Office, without: string): string {
  const parts = world.sites.map((site, index) => {
    const { random } = world;
    const more = random
      .shuffle(conditions)
      .map((phrase) => write(phrase, random, { month: 'May', n: random.below(900) }));
    const weight = site === without ? [] : [tell(world, 'weight', { weight: office.weights.get(site)! })];
    const year = tell(world, 'year', { year: office.years.get(site)! });
    const firm = tell(world, 'delivered', { site, firm: office.firms.get(site)! });
    return `${index + 1}. ${site}. ${random.shuffle([firm, year, ...weight, ...more]).join(' ')}`;
  });
  return `# Register of ${world.unit}s\n\n${parts.join('\n\n')}\n`;
}

function writeSuppliers(world: World, { seats }: Office): string {
  const notes = [
    '[Pays the freight.|Late by habit.|Good with spares.|Wants half in advance.]',
    '[Owed us {n}.|Letter {n} unanswered.]',
  ];
  const parts = [...seats].map(([firm, town]) => {
    const more = notes.map((phrase) => write(phrase, world.random, { n: world.random.below(900) }));
    return [tell(world, 'seat', { firm, town }), ...world.random.shuffle(more)].join(' ');
  });
  return `# Firms that we buy from\n\n${parts.join('\n\n')}\n`;
}

type Known = ReturnType<typeof readOffice>;

/** The facts as read from the written texts. */
function readOffice(texts: Texts, folder: string) {
  const text = (file: string) => texts.get(`${folder}/${file}.md`)!;
  const find = (fact: Fact, file: string, key: string, wanted: string, known: string): string => {
    const found = readAll(facts[fact], text(file)).filter((slots) => slots[key] === known);
    return found.length === 1 ? found[0]![wanted]! : `${found.length} × ${fact} of ${known}`;
  };
  const sittings = text('minutes')
    .split(/^## Sitting of /m)
    .slice(1);
  const sitting = (fact: Fact, site: string) =>
    sittings.find((one) => readAll(facts[fact], one).some((slots) => slots['site'] === site))?.split('\n')[0];
  const entry = (fact: Fact, site: string) =>
    readAll(
      facts[fact],
      text('register')
        .split('\n')
        .find((line) => line.includes(`. ${site}. `)) ?? '',
    )[0]?.[fact];
  return {
    leader: (site: string) => find('leads', 'minutes', 'site', 'name', site),
    led: (name: string) => find('leads', 'minutes', 'name', 'site', name),
    deputy: (name: string) => find('deputy', 'people', 'name', 'deputy', name),
    office: (name: string) => find('office', 'people', 'name', 'town', name),
    firm: (site: string) => find('delivered', 'register', 'site', 'firm', site),
    seat: (firm: string) => find('seat', 'suppliers', 'firm', 'town', firm),
    approved: (site: string) => sitting('approved', site),
    accepted: (site: string) => sitting('accepted', site),
    entry,
  };
}

/** Makes the office texts of a half. */
export function makeOffice(world: World): Made {
  const office = createOffice(world);
  const folder = `${world.half}/office`;
  const without = { person: office.projects[23]!.leader, site: world.sites[40]! };
  const texts = new Map([
    [`${folder}/minutes.md`, writeMinutes(world, office)],
    [`${folder}/people.md`, writePeople(world, office, without.person)],
    [`${folder}/register.md`, writeRegister(world, office, without.site)],
    [`${folder}/suppliers.md`, writeSuppliers(world, office)],
  ]);
  const drafts = [...factDrafts(world, office, folder, without), ...timeDrafts(office, folder)];
  return { texts, drafts };
}

interface Without {
  readonly person: string;
  readonly site: string;
}

function factDrafts({ unit }: World, office: Office, folder: string, without: Without): readonly Draft[] {
  const { projects, deputies, firms, seats, towns, years } = office;
  const [a, b, d, e, f, g] = projects.slice(0, 6) as [Project, Project, Project, Project, Project, Project];
  const isElsewhere = ({ leader }: Project) => towns.get(leader) !== towns.get(deputies.get(leader)!);
  const c = projects.slice(6).find(isElsewhere)!;
  const chief = [...deputies].find(([, deputy]) => deputy === g.leader)![0];
  const seatOf = (site: string) => seats.get(firms.get(site)!)!;
  const asked = createAsk(folder);
  const ask = (id: string, slots: Slots, right: string | null, check: (known: Known) => unknown) =>
    asked(id, { unit, ...slots }, right, (texts) => check(readOffice(texts, folder)));
  return [
    ask('look-up-1', { site: a.site }, years.get(a.site)!, (known) => known.entry('year', a.site)),
    ask('look-up-2', { site: b.site }, b.leader, (known) => known.leader(b.site)),
    ask('hops-0', { site: c.site }, towns.get(deputies.get(c.leader)!)!, (known) =>
      known.office(known.deputy(known.leader(c.site))),
    ),
    ask('hops-1', { name: d.leader }, seatOf(d.site), (known) => known.seat(known.firm(known.led(d.leader)))),
    ask('hops-2', { site: e.site }, deputies.get(e.leader)!, (known) => known.deputy(known.leader(e.site))),
    ask('hops-3', { name: chief }, seatOf(g.site), (known) => known.seat(known.firm(known.led(known.deputy(chief))))),
    ask('hops-4', { name: f.leader }, firms.get(f.site)!, (known) => known.firm(known.led(f.leader))),
    ask('absent-1', { name: without.person }, null, (known) => known.deputy(without.person).startsWith('0 ×')),
    ask('absent-3', { site: without.site }, null, (known) => known.entry('weight', without.site) === undefined),
  ];
}

/** Returns the item with the lowest value; every other item has a higher one. */
function lowest<T>(items: readonly T[], value: (item: T) => number): T {
  const least = Math.min(...items.map(value));
  return items.find((item) => value(item) === least)!;
}

function timeDrafts({ projects }: Office, folder: string): readonly Draft[] {
  const asked = createAsk(folder);
  const took = ({ approved, accepted }: Project) => accepted! - approved!;
  const begun = ({ approved }: Project) => approved!;
  /** Four projects whose values differ. */
  const distinct = (from: number, to: number, value: (project: Project) => number) =>
    [...new Map(projects.slice(from, to).map((project) => [value(project), project])).values()].slice(0, 4);
  const [done, four, rivals] = [projects[5]!, distinct(6, 12, took), distinct(12, 20, begun)];
  const open = projects[16]!.site;
  const names = (list: readonly Project[]) => list.map(({ site }) => site).sort();
  const ask = (id: string, slots: Slots, right: Gold | string | number | null, check: (known: Known) => unknown) =>
    asked(id, slots, right, (texts) => check(readOffice(texts, folder)));
  const between = (known: Known, site: string) => daysOf(known.accepted(site)!) - daysOf(known.approved(site)!);
  return [
    ask('order-1', { site: done.site }, took(done), (known) => between(known, done.site)),
    ask(
      'order-2',
      { sites: names(rivals).join(', ') },
      { target: lowest(rivals, begun).site, choices: names(rivals) },
      (known) => lowest(names(rivals), (site) => daysOf(known.approved(site)!)),
    ),
    ask(
      'order-4',
      { sites: names(four).join(', ') },
      { target: lowest(four, (one) => -took(one)).site, choices: names(four) },
      (known) => lowest(names(four), (site) => -between(known, site)),
    ),
    ask('absent-0', { site: open }, null, (known) => !known.accepted(open) && known.approved(open) !== undefined),
  ];
}
