/** A file's text, put in by the bundler. */
declare module "*?raw" {
  const text: string;
  export default text;
}
