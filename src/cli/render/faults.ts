/** Shows claims that the text does not support. */
import type { Claim } from '../../index.ts';
import { type Output, oneLine, repliedText } from '../terminal.ts';

/** The label of each faulty verdict. Other claims are not marked. */
const faults: Readonly<Partial<Record<Claim['verdict'], string>>> = {
  unsupported: 'not supported',
  contradicted: 'contradicted',
};

const isFaulty = ({ verdict }: Claim): boolean => verdict in faults;

/** Placeholders around a faulty claim while its text is sanitized. The shown text does not contain them. */
const [open, close] = ['\ue000', '\ue001'];

/** Returns the end of a claim, including the citation numbers after it. */
const endWithNumbers = (answer: string, { end }: Claim): number =>
  end + /^(?:[ \t]*\[\d+\])*/.exec(answer.slice(end))![0].length;

/** Returns the sanitized answer, with each faulty claim struck through and followed by a mark. */
export function styleFaults(answer: string, claims: readonly Claim[], style: Output['style']): string {
  let marked = answer.replace(/[\ue000\ue001]/g, '\ufffd');
  for (const claim of claims.filter(isFaulty).toReversed()) {
    const [start, end, after] = [claim.start, claim.end, endWithNumbers(marked, claim)];
    const [before, claimed] = [marked.slice(0, start), marked.slice(start, end)];
    marked = `${before}${open}${claimed}${close}${marked.slice(end, after)} [!]${marked.slice(after)}`;
  }
  const struck = (claimed: string) =>
    claimed
      .split('\n')
      .map((line) => style('strikethrough', line))
      .join('\n');
  return repliedText(marked).replace(/\ue000([^\ue000\ue001]*)\ue001/g, (_, claimed: string) => struck(claimed));
}

/** Returns a line for each faulty claim: its label, its text, and the reason. */
export const faultLines = (claims: readonly Claim[], style: Output['style']): string[] =>
  claims.filter(isFaulty).map(({ verdict, text, reason }) => {
    const about = reason === null ? '' : ` (${oneLine(reason, 300)})`;
    return `${style('yellow', '[!]')} ${faults[verdict]}: "${oneLine(text, 120)}"${about}`;
  });
