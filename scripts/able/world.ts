/** The people, places, firms and things that the texts of one half share. No name occurs in both halves. */
import { createRandom, type Random } from '../../src/eval/make/task.ts';
import type { Half } from './question.ts';

export interface World {
  readonly half: Half;
  readonly random: Random;
  readonly organisation: string;
  /** A thing at a site, such as a pump. */
  readonly unit: string;
  readonly people: readonly string[];
  readonly sites: readonly string[];
  readonly towns: readonly string[];
  readonly firms: readonly string[];
  readonly streets: readonly string[];
  readonly articles: readonly string[];
  readonly jobs: readonly string[];
}

const given =
  'Ansgar Birte Coen Dagny Edwin Femke Gerda Hauke Ilka Joost Katrin Lubbe Marit Nils Okka Petra Quirin Rieke Sven Tjark Ulla Veit Wiebke Yorick Zita Alma Bodo Carla Detlef Elke Folkert Gesa Hinrich Imke Jella Knut Levke Malte Neele Ove';
const stems =
  'Brem Kelter Ostel Hagen Varn Lind Morre Sell Tarn Wiek Dorn Falk Grave Holm Ister Juven Krae Lorn Mell Nor Orre Pell Quast Rade Stell Tolle Ulm Wend Yster Zarn Alder Birk Cray Dree Elm Fenne';
const personEnds = 'sen mann ers inga stra ing huis';
const placeEnds = 'ford wick beck stead mouth combe ness ley';
const townEnds = 'haven burgh minster market';

const themes = {
  dev: {
    organisation: 'Ostrel Water Board',
    unit: 'pump',
    articles: ['shaft seal', 'float switch', 'gland packing', 'sluice key', 'grease cartridge', 'strainer basket'],
    jobs: 'heron otter bittern plover grebe curlew dunlin avocet lapwing teal',
    streets: ['Brunner Row', 'Tallow Lane', 'Saddler Court', 'Weir Street'],
  },
  test: {
    organisation: 'Kellan Valley Railway',
    unit: 'signal frame',
    articles: ['point heater', 'lamp hood', 'relay board', 'signal wire', 'track clip', 'fishplate bolt'],
    jobs: 'larch rowan hazel juniper alder maple cedar aspen willow linden',
    streets: ['the Skerry line', 'the Outer Isles line', 'the Sound line', 'the Fjord line'],
  },
};

const words = (text: string): readonly string[] => text.split(' ');

/** Returns every second combination. Both halves use the same order, so they share none. */
function combine(half: Half, starts: string, ends: string, between: string): readonly string[] {
  const all = words(starts).flatMap((start) => words(ends).map((end) => start + between + end));
  const shuffled = createRandom(ends.length + between.length).shuffle(all);
  return shuffled.filter((_, index) => index % 2 === (half === 'dev' ? 0 : 1));
}

/** Creates the world of a half. */
export function createWorld(half: Half, seed: number): World {
  const random = createRandom(seed * 2 + (half === 'dev' ? 0 : 1));
  const surnames = random.shuffle(combine(half, stems, personEnds, '')).slice(0, 90);
  const firsts = random.shuffle(words(given).filter((_, index) => index % 2 === (half === 'dev' ? 0 : 1)));
  const theme = themes[half];
  const firmEnds = ['Works', 'and Sons', 'Foundry', 'Engineering', 'Brothers'];
  return {
    ...theme,
    half,
    random,
    jobs: words(theme.jobs),
    people: surnames.map((name, index) => `${firsts[index % firsts.length]} ${name}`),
    sites: random.shuffle(combine(half, stems, placeEnds, '')).slice(0, 48),
    towns: random.shuffle(combine(half, stems, townEnds, '')).slice(0, 40),
    firms: surnames.slice(60, 82).map((name) => `${name} ${random.pick(firmEnds)}`),
  };
}

/** Formats a day, given as days after 1 January 2023: `4 March 2023`. */
export const dayOf = (day: number): string =>
  new Date(Date.UTC(2023, 0, 1 + day)).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });

/** Reverses `dayOf`: returns the days after 1 January 2023. */
export const daysOf = (written: string): number => Date.parse(`${written} UTC`) / 86_400_000 - 19_358;
