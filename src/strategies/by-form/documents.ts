/** A question for those documents of which something is true: "Which files mention the security lead?" */

/** One question for each document. */
export interface DocumentChoice {
  readonly kind: 'documents';
  /** The yes-or-no question about one document. */
  readonly question: string;
  /** The noun for one document. */
  readonly noun: string;
}

const which =
  /^(?:in )?which (?:of the |of these )?(?:\p{Ll}+ )?(?<noun>documents?|files?|pages?|notes?|chapters?|reports?|contracts?|policies|policy|letters?|articles?) (?<predicate>\p{Ll}[^?]{2,200})\?*$/iu;

const auxiliaries: Readonly<Record<string, string>> = { is: 'Is', are: 'Is', was: 'Was', were: 'Was' };
const modal = /^(?:can|could|may|might|must|shall|should|will|would)$/;

/** Returns the infinitive of a verb in the third person; a plural form is an infinitive already. */
const infinitive = (verb: string): string =>
  verb === 'has' || verb === 'have'
    ? 'have'
    : verb
        .replace(/ies$/, 'y')
        .replace(/(?<=[sxz]|ch|sh)es$/, '')
        .replace(/(?<!s)s$/, '');

/** Turns a statement about several documents into a question about one. */
function askOfOne(noun: string, predicate: string): string {
  const [verb = '', ...words] = predicate.split(' ');
  const rest = [`this ${noun}`, ...words].join(' ');
  const first =
    auxiliaries[verb.toLowerCase()] ?? (modal.test(verb) ? `${verb.charAt(0).toUpperCase()}${verb.slice(1)}` : null);
  return first === null ? `Does this ${noun} ${[infinitive(verb), ...words].join(' ')}?` : `${first} ${rest}?`;
}

/** Reads what a question asks about each document; null for any other question. */
export function readDocumentChoice(question: string): DocumentChoice | null {
  const found = which.exec(question.trim())?.groups;
  if (!found) return null;
  const noun = found['noun']!.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
  return { kind: 'documents', question: askOfOne(noun, found['predicate']!), noun };
}
