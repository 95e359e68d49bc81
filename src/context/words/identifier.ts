/**
 * An underscore, or a place: before a capital that follows another sign or precedes a small letter; before final digits
 * where there are no others.
 */
const betweenParts = /_|(?<!\p{Lu})(?=\p{Lu})|(?=\p{Lu}[^\p{Lu}\p{N}])|(?<=^\P{N}*)(?=\p{N}+$)/u;

/** Splits an identifier into its parts: `HTTPServer_url2` has `HTTP`, `Server`, `url` and `2`; a hash stays whole. */
export const identifierParts = (identifier: string): string[] => identifier.split(betweenParts).filter(Boolean);
