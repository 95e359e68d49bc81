/** Measures how well the match of quotes separates right from wrong on questions that it was not fitted on. */
import { type Case, casesOf, holds, readArticles, readMusique, strayCases } from './cases.ts';
import { measured } from './evidence.ts';
import { answerOf } from './extractive.ts';

const ten = 10;

/** A reliability diagram in one line: predicted share, observed share, and number. */
function diagram(said: readonly number[], right: readonly boolean[]): string {
  const bins = Array.from({ length: ten }, (_, bin) =>
    said.flatMap((one, place) => (Math.min(ten - 1, Math.floor(one * ten)) === bin ? [place] : [])),
  );
  const shown = bins.flatMap((places) => {
    if (places.length === 0) return [];
    const mean = places.reduce((sum, place) => sum + said[place]!, 0) / places.length;
    const so = places.filter((place) => right[place]).length / places.length;
    return [`${(100 * mean).toFixed(0)}→${(100 * so).toFixed(0)} (${places.length})`];
  });
  return shown.join('  ');
}

function printCases(name: string, cases: readonly Case[]): void {
  const answers = cases.map((one) => ({ ...answerOf(one), answers: one.answers }));
  const right = answers.map(({ lines, answers: known }) => lines.length > 0 && holds(lines[0]!, known));
  const said = answers.map(({ match }) => match);
  console.log(`${name}: ${cases.length} questions, ${right.filter(Boolean).length} first lines right`);
  console.log(`  match  ${measured(said, right)}`);
  console.log(`  predicted→observed  ${diagram(said, right)}`);
}

/** Prints how the shipped match does on articles that it was not fitted on, and on MuSiQue. */
export async function printQuotes(data: string): Promise<void> {
  const [own, held] = [readArticles(data, 'fitted'), readArticles(data, 'held out')];
  const cases = await casesOf(held, [...own, ...held]);
  printCases('squad2, held out', cases);
  printCases('the same, with questions about other articles', [...cases, ...(await strayCases(held))]);
  printCases('MuSiQue', (await readMusique(data)).cases);
}
