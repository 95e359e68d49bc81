/** A question for those documents of which something is true: "Which files mention the security lead?" */

/** One question for each document. */
export interface DocumentChoice {
  readonly kind: 'documents';
  /** What is asked of one document, to be answered by yes or no. */
  readonly question: string;
  /** One of them is called so. */
  readonly noun: string;
}

const which =
  /^(?:in )?which (?:of the |of these )?(?:\p{Ll}+ )?(?<noun>documents?|files?|pages?|notes?|chapters?|reports?|contracts?|policies|policy|letters?|articles?) (?<predicate>\p{Ll}[^?]{2,200})\?*$/iu;

const auxiliaries: Readonly<Record<string, string>> = { is: 'Is', are: 'Is', was: 'Was', were: 'Was' };
const modal = /^(?:can|could|may|might|must|shall|should|will|would)$/;

/** The infinitive of a verb as it follows one thing; that after several things is one already. */
const infinitive = (verb: string): string =>
  verb === 'has' || verb === 'have'
    ? 'have'
    : verb
        .replace(/ies$/, 'y')
        .replace(/(?<=[sxz]|ch|sh)es$/, '')
        .replace(/(?<!s)s$/, '');

/** A question about one document, of what is said of several. */
function askOfOne(noun: string, predicate: string): string {
  const [verb = '', ...words] = predicate.split(' ');
  const rest = [`this ${noun}`, ...words].join(' ');
  const first =
    auxiliaries[verb.toLowerCase()] ?? (modal.test(verb) ? `${verb.charAt(0).toUpperCase()}${verb.slice(1)}` : null);
  return first === null ? `Does this ${noun} ${[infinitive(verb), ...words].join(' ')}?` : `${first} ${rest}?`;
}

/** What a question asks of each document; null where it asks for something else. */
export function readDocumentChoice(question: string): DocumentChoice | null {
  const found = which.exec(question.trim())?.groups;
  if (!found) return null;
  const noun = found['noun']!.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
  return { kind: 'documents', question: askOfOne(noun, found['predicate']!), noun };
}
