/** Placeholder of a number until the form is rendered. */
const numberMark = '\0number';

/**
 * Renders the form of a tool's arguments. The example's values are left out, since a small model would search for just
 * those; the name of the whole text stays.
 */
export const argumentForm = (example: unknown): string =>
  JSON.stringify(example ?? {}, (_, value: unknown) => {
    if (typeof value === 'number') return numberMark;
    return typeof value === 'string' && value !== 'text' && value !== numberMark ? '…' : value;
  }).replaceAll(JSON.stringify(numberMark), '<number>');
