const word = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'’]*(?:[-.]\p{L}[\p{L}\p{M}\p{N}]*)*`;
const names = new RegExp(`${word}(?: (?:(?:of|the|de|van|von|der|la|le|al|bin) ){0,2}${word}){0,6}`, 'gu');

/** Words that begin sentences and are no names by themselves. */
const common =
  /^(?:The|This|That|These|Those|There|An?|Its?|He|She|They|We|You|I|His|Her|Their|Our|My|In|On|At|As|By|For|From|With|After|Before|When|While|If|Since|But|And|So|However|Also|Then|Both|Each|Some|All|No|Not|Yes|To|Because|Although|During|Under|Until|Once|What|Who|How|Why|Which|Where|Most|Many|One|Two|Three|According|Later|Today|Only|Every|Any|Another|Between|Over|Or|Is|Are|Was|Were|Has|Had|Did|Does|Do)\b\s*/u;
const months = /^(?:January|February|March|April|May|June|July|August|September|October|November|December)$/u;

/** A name where it stands in a text; end exclusive. */
interface NamePlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the names in a text: runs of words with capitals, and the small words between them. A word that only begins
 * its sentence is none, unless it is followed by another one, or is known as a name.
 */
export function findNames(text: string, known: Pick<ReadonlySet<string>, 'has'> = new Set()): NamePlace[] {
  return [...text.matchAll(names)].flatMap(({ 0: found, index }) => {
    const name = found.replace(common, '');
    const beginsSentence =
      name === found && /(?:^|[.!?:\n]["'”’)\]]?\s+|^\W+)$/.test(text.slice(Math.max(0, index - 4), index));
    const isAlone = !/[\s\p{N}]/u.test(name) && !/^\p{Lu}{2,}/u.test(name);
    if (name === '' || months.test(name) || (beginsSentence && isAlone && !known.has(name))) return [];
    return [{ name, start: index + found.length - name.length, end: index + found.length }];
  });
}

/** The names in a text, as they stand there. */
export const namesOf = (text: string, known: ReadonlySet<string> = new Set()): string[] =>
  findNames(text, known).map(({ name }) => name);
