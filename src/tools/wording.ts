/** Writes a call for a message, so that it can be copied. */
export const shownCall = (tool: string, given: object): string => `${tool} ${JSON.stringify(given)}`;
