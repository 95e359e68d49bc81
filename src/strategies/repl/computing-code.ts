/** Characters of code that are shown as the origin of a value, at most. */
const mostCharacters = 4_000;

const declaration =
  /\b(?:const|let|var|class|function\s*\*?)\s+(?:([\p{ID_Start}$_][\p{ID_Continue}$]*)|[{[]([^}\]=]*))/gu;

const namesIn = (code: string): string[] =>
  [...code.matchAll(declaration)].flatMap(([, name, names = '']) => name ?? names.split(/[\s,:]+/).filter(Boolean));

/** Returns the last block with the earlier ones that declare a name it uses, directly or through each other. */
export function computingCode(blocks: readonly string[]): string {
  const shown = blocks.slice(-1);
  for (const block of blocks.slice(0, -1).reverse()) {
    const used = new Set(shown.join('\n').match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
    const isUsed = namesIn(block).some((name) => used.has(name));
    if (isUsed && shown.join('\n').length + block.length <= mostCharacters) shown.unshift(block);
  }
  const code = shown.join('\n');
  return code.length <= mostCharacters ? code : `${code.slice(0, mostCharacters).toWellFormed()}\n// …`;
}
