/** D1 takes texts of up to 100 kB. */
const LONGEST_TEXT = 80_000;

/**
 * Statements as few texts for D1. One by one, those of a whole schema take seconds: a local connection would not last, and
 * tests would wait.
 */
export function inFewTexts(statements: readonly string[]): string[] {
  const texts: string[] = [];
  for (const statement of statements) {
    const last = texts.at(-1);
    if (last === undefined || last.length + statement.length > LONGEST_TEXT) texts.push(statement);
    else texts[texts.length - 1] = `${last};\n${statement}`;
  }
  return texts;
}
