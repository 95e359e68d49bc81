/** Passages of synthetic words with natural frequencies, and a few needles that the questions ask for. */

export interface Needle {
  readonly question: string;
  /** The words that only the right passage contains. */
  readonly answer: string;
}

const needleCount = 100;
const wordsPerPassage = 120;

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function createWords(count: number, random: () => number): string[] {
  const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');
  const words = new Set<string>();
  while (words.size < count) {
    const length = 2 + Math.floor(random() * 3);
    words.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join(''));
  }
  return [...words];
}

/** Makes this many passages with Zipf's distribution, and two kinds of needles. The result is always the same. */
export function passagesWithNeedles(count: number) {
  const random = createRandom(42);
  const words = createWords(5_000, random);
  // The probability of a word is inversely proportional to its rank.
  const draw = () => words[Math.min(words.length - 1, Math.floor(words.length ** random()) - 1)]!;
  const passages = Array.from({ length: count }, () => Array.from({ length: wordsPerPassage }, draw).join(' '));
  const put = (needle: number, text: string) => {
    passages[Math.floor(((needle + 0.5) * count) / (2 * needleCount))] += `\n${text}\n`;
  };
  const rare = Array.from({ length: needleCount }, (_, index): Needle => {
    const answer = `The access code of gateway quartz${index}q is ${7_000 + index}.`;
    put(2 * index, answer);
    return { question: `What is the access code of the gateway quartz${index}q in ${words[3]} ${words[7]}?`, answer };
  });
  // Each of the three words occurs in hundreds of passages.
  const together = Array.from({ length: needleCount }, (_, index): Needle => {
    const three = [words[20 + index]!, words[150 + index]!, words[280 + index]!];
    const answer = `${three.join(' ')} ${three.join(' ')} at ${3_000 + index}`;
    put(2 * index + 1, answer);
    return { question: `Where do ${three[0]}, ${three[1]} and ${three[2]} meet?`, answer };
  });
  return { passages, rare, together };
}
