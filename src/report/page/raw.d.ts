/** The text of a file, which is included in the bundle. */
declare module '*?raw' {
  const text: string;
  export default text;
}
