/** How many databases are seen to at once. */
const WAVE = 10;

/** What became of some databases, by their bindings. */
export interface Waves {
  readonly done: readonly string[];
  /** Why each failed. */
  readonly failed: ReadonlyMap<string, string>;
  /** Those that nobody saw to, because an earlier wave had failed. */
  readonly left: readonly string[];
}

/**
 * Does something with each database, ten at once. A wave goes on to its end where one fails, and is the last then: what is
 * wrong may be wrong with all. Doing what is done again must change nothing, so the next call goes on.
 */
export async function inWaves(
  bindings: readonly string[],
  see: (binding: string) => Promise<void>,
): Promise<Waves> {
  const done: string[] = [];
  const failed = new Map<string, string>();
  let from = 0;
  for (; from < bindings.length && failed.size === 0; from += WAVE) {
    const wave = bindings.slice(from, from + WAVE);
    const ended = await Promise.allSettled(wave.map((binding) => see(binding)));
    for (const [at, one] of ended.entries()) {
      const binding = wave[at] ?? '';
      if (one.status === 'fulfilled') done.push(binding);
      else
        failed.set(binding, one.reason instanceof Error ? one.reason.message : String(one.reason));
    }
  }
  return { done, failed, left: bindings.slice(from) };
}

/** What a person does after something failed. */
export function nextStep({ left }: Pick<Waves, 'left'>): string {
  const rest = left.length === 0 ? '' : ` ${left.join(', ')} were left as they are.`;
  return `Run this again once that is mended: it goes on where it stopped.${rest}`;
}
