const betweenParts = /_|(?<!\p{Lu})(?=\p{Lu})|(?=\p{Lu}\p{Ll})|(?<=^\P{N}*)(?=\p{N}+$)/u;

/** Splits an identifier: `HTTPServer_url2` into `HTTP`, `Server`, `url` and `2`; the hash `9f86d081` is one part. */
export const identifierParts = (identifier: string): string[] => identifier.split(betweenParts).filter(Boolean);
