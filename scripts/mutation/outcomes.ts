/** What became of changes: the file that the tests' processes write, a line `word id` for each. */

/** Its name, in the folder where the tests run. */
export const OUTCOMES_FILE = 'outcomes.txt';

/** The ids of changes, by what became of them. */
export interface Outcomes {
  /** Some test failed. */
  readonly noticed: ReadonlySet<string>;
  /** Some test came by. */
  readonly tried: ReadonlySet<string>;
  /** A module came by while it was loaded. */
  readonly loaded: ReadonlySet<string>;
}

/** Reads the file's text. */
export function readOutcomes(text: string): Outcomes {
  const lines = text.split('\n');
  const of = (word: keyof Outcomes) =>
    new Set(
      lines
        .filter((line) => line.startsWith(`${word} `))
        .map((line) => line.slice(word.length + 1)),
    );
  return { noticed: of('noticed'), tried: of('tried'), loaded: of('loaded') };
}
