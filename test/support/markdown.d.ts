/** A page of the documentation as a text. */
declare module '*.md?raw' {
  const text: string;
  export default text;
}
