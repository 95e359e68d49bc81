/**
 * A module and what it imports, bundled as the source of a function: it takes `host`, and returns the module's exports.
 */
declare module '*?script' {
  const source: string;
  export default source;
}
