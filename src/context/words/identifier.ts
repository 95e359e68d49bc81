/**
 * Matches an underscore, or a position: before a capital that follows no capital or precedes a lower-case letter;
 * before digits at the end if the identifier has no others.
 */
const betweenParts = /_|(?<!\p{Lu})(?=\p{Lu})|(?=\p{Lu}\p{Ll})|(?<=^\P{N}*)(?=\p{N}+$)/u;

/** Splits an identifier: `HTTPServer_url2` into `HTTP`, `Server`, `url` and `2`; the hash `9f86d081` is one part. */
export const identifierParts = (identifier: string): string[] => identifier.split(betweenParts).filter(Boolean);
