/** Stands for a number until the form is text. */
const numberMark = '\0number';

/**
 * The form of a tool's arguments. Values of the example are left out, for a small model would look for just those; the
 * name of the whole text stays.
 */
export const argumentForm = (example: unknown): string =>
  JSON.stringify(example ?? {}, (_, value: unknown) => {
    if (typeof value === 'number') return numberMark;
    return typeof value === 'string' && value !== 'text' && value !== numberMark ? '…' : value;
  }).replaceAll(JSON.stringify(numberMark), '<number>');
