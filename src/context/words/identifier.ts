/**
 * Matches an underscore, or a position: before a capital that follows another character or precedes a lower-case
 * letter; before digits at the end if there are no others.
 */
const betweenParts = /_|(?<!\p{Lu})(?=\p{Lu})|(?=\p{Lu}[^\p{Lu}\p{N}])|(?<=^\P{N}*)(?=\p{N}+$)/u;

/** Splits an identifier into its parts: `HTTPServer_url2` has `HTTP`, `Server`, `url` and `2`; a hash stays whole. */
export const identifierParts = (identifier: string): string[] => identifier.split(betweenParts).filter(Boolean);
