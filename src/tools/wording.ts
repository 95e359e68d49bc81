/** A call as it is written, to be copied. */
export const shownCall = (tool: string, given: object): string => `${tool} ${JSON.stringify(given)}`;
