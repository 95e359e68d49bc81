/** The source of a function that takes `host` and returns the exports of a module. It includes the module's imports. */
declare module '*?script' {
  const source: string;
  export default source;
}
