/** A seed for what a test draws. The test's name tells it, so that a failure can be played again. */
export function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
