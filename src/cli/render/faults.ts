/** How claims that the text does not bear out are shown. */
import type { Claim } from '../../index.ts';
import { type Output, oneLine, repliedText } from '../terminal.ts';

/** What a faulty claim is called; others are not marked. */
const faults: Readonly<Partial<Record<Claim['verdict'], string>>> = {
  unsupported: 'not supported',
  contradicted: 'contradicted',
};

const isFaulty = ({ verdict }: Claim): boolean => verdict in faults;

/** They stand around a faulty claim while its text is made safe to show; no text has them afterwards. */
const [open, close] = ['\ue000', '\ue001'];

/** The end of a claim with the numbers of its citations. */
const endWithNumbers = (answer: string, { end }: Claim): number =>
  end + /^(?:[ \t]*\[\d+\])*/.exec(answer.slice(end))![0].length;

/** The answer, safe to show, with each faulty claim struck and a mark behind it. */
export function styleFaults(answer: string, claims: readonly Claim[], style: Output['style']): string {
  let marked = answer.replace(/[\ue000\ue001]/g, '\ufffd');
  for (const claim of claims.filter(isFaulty).toReversed()) {
    const [start, end, after] = [claim.start, claim.end, endWithNumbers(marked, claim)];
    const [before, said] = [marked.slice(0, start), marked.slice(start, end)];
    marked = `${before}${open}${said}${close}${marked.slice(end, after)} [!]${marked.slice(after)}`;
  }
  const struck = (said: string) =>
    said
      .split('\n')
      .map((line) => style('strikethrough', line))
      .join('\n');
  return repliedText(marked).replace(/\ue000([^\ue000\ue001]*)\ue001/g, (_, said: string) => struck(said));
}

/** A line for each faulty claim: what it is, the claim, and what is wrong with it. */
export const faultLines = (claims: readonly Claim[], style: Output['style']): string[] =>
  claims.filter(isFaulty).map(({ verdict, text, reason }) => {
    const about = reason === null ? '' : ` (${oneLine(reason, 300)})`;
    return `${style('yellow', '[!]')} ${faults[verdict]}: "${oneLine(text, 120)}"${about}`;
  });
