/** Wrangler bundles files of SQL as their text. */
declare module '*.sql' {
  const text: string;
  export default text;
}
