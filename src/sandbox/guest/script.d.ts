/** A module with its imports, as the source of a function that takes `host` and returns the exports. */
declare module '*?script' {
  const source: string;
  export default source;
}
