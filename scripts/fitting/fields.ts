/** Values of squad2's questions as fields of a form: where they are cited, and how right values differ from others. */
import { readSentences } from '../../src/context/sentences/sentences.ts';
import { contentTerms } from '../../src/context/words/terms.ts';
import { bestPlace, placesOf, supportAt, type ValuePlace, valueCurve } from '../../src/evidence/fields/place-value.ts';
import { createMatcher } from '../../src/evidence/fields/same-value.ts';
import { type EvidenceText, readEvidence } from '../../src/evidence/support/evidence-text.ts';
import { type Case, casesOf, readArticles } from './cases.ts';
import { auroc, calibrationError, fitOdds } from './logit.ts';

interface FieldCase {
  /** The share of words around the value, 0–1. */
  readonly around: number;
  readonly isRight: boolean;
}

interface Read {
  readonly values: readonly FieldCase[];
  /**
   * For values that occur in several sentences: whether the answering sentence is cited, and whether it is the first.
   */
  readonly cited: readonly { readonly isRight: boolean; readonly isFirst: boolean }[];
}

const mostWords = 5;
const none: ReadonlySet<string> = new Set();

const firstValue = ({ answers: [answer = ''] }: Case): string | number =>
  /^\d[\d,.]*$/.test(answer) ? Number(answer.replaceAll(',', '')) : answer;

/** The question serves as the description of the field. */
function place(question: string, value: string | number, evidence: EvidenceText): ValuePlace | null {
  const words = { names: new Set(contentTerms(question)), beside: none, asked: none };
  return bestPlace(placesOf(createMatcher(value), words, evidence));
}

/** Whether a sentence contains the words around the answer. */
function isSpot({ spot, passages }: Case, { passage, start, end }: { passage: unknown; start: number; end: number }) {
  const gold = passages.find(({ text }) => text.includes(spot!))!;
  const at = gold.text.indexOf(spot!) + spot!.length / 2;
  return passage === gold && start <= at && at < end;
}

/** A value of the same kind that answers another question and occurs in the passages for this one. */
function otherValue(own: Case, others: readonly Case[]): string | number | null {
  const value = firstValue(own);
  const found = others.find((other) => {
    const its = firstValue(other);
    const [one, two] = [String(value), String(its)];
    if (typeof its !== typeof value || one.includes(two) || two.includes(one)) return false;
    const holds = createMatcher(its);
    return own.passages.some(({ text }) => holds(text));
  });
  return found ? firstValue(found) : null;
}

/** Reads the answerable questions of half of the articles with answers of a few words. */
async function readFields(data: string, half: 'fitted' | 'held out'): Promise<Read> {
  const all = [...readArticles(data, 'fitted'), ...readArticles(data, 'held out')];
  const cases = (await casesOf(readArticles(data, half), all)).filter(
    ({ spot, answers: [answer = ''], passages }) =>
      answer !== '' &&
      answer.split(' ').length <= mostWords &&
      passages.some(({ text }) => text.includes(spot ?? '\n\n\n')),
  );
  const values: FieldCase[] = [];
  const cited: { isRight: boolean; isFirst: boolean }[] = [];
  for (const [number, own] of cases.entries()) {
    const evidence = readEvidence(own.passages);
    const right = place(own.question, firstValue(own), evidence);
    const other = otherValue(own, [...cases.slice(number + 1), ...cases.slice(0, number)].slice(0, 40));
    const wrong = other === null ? null : place(own.question, other, evidence);
    if (right && wrong) values.push({ around: right.around, isRight: true }, { around: wrong.around, isRight: false });
    const holds = createMatcher(firstValue(own));
    const having = readSentences(own.passages).filter(({ text }) => holds(text));
    if (right && having.length > 1)
      cited.push({ isRight: isSpot(own, right.sentence), isFirst: isSpot(own, having[0]!) });
  }
  return { values, cited };
}

const share = (all: readonly boolean[]) => (all.filter(Boolean).length / all.length).toFixed(3);

/** Fits the curve of values, and prints the results of the curve and of the citations on the other articles. */
export async function printFields(data: string): Promise<void> {
  const [own, held] = [await readFields(data, 'fitted'), await readFields(data, 'held out')];
  const [constant, slope] = fitOdds(
    own.values.map(({ around, isRight }) => ({ values: [around], isRight })),
    1,
  );
  const said = held.values.map(supportAt);
  const right = held.values.map(({ isRight }) => isRight);
  console.log(`Fields, squad2: ${own.values.length} values, half of them answers to another question`);
  console.log(`  shipped   constant ${valueCurve.constant}  slope ${valueCurve.slope}`);
  console.log(`  refitted  constant ${constant!.toFixed(2)}  slope ${slope!.toFixed(2)}`);
  console.log(
    `  held out  ${held.values.length} values: AUROC ${auroc(said, right).toFixed(3)}  calibration error ${calibrationError(said, right).toFixed(3)}`,
  );
  const { cited } = held;
  console.log(
    `  cited where it answers, of ${cited.length} values that stand in several sentences: ${share(cited.map((one) => one.isRight))} (the first that has it ${share(cited.map((one) => one.isFirst))})`,
  );
}
