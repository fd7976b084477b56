/** Migrations of many databases, with a stand-in for wrangler's command. */
import { describe, expect, it } from 'vitest';
import { inWaves, nextStep } from '../../scripts/databases/waves.ts';

const BINDINGS = Array.from({ length: 100 }, (_, at) => (at === 0 ? 'DB' : `DB${at + 1}`));

/** A hundred databases: each has so many migrations, and one of them takes none while it is broken. */
class Databases {
  readonly applied = new Map<string, number>();
  broken: string | null = null;
  #atOnce = 0;
  mostAtOnce = 0;
  calls = 0;

  readonly migrate = async (binding: string): Promise<void> => {
    this.calls += 1;
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    await Promise.resolve();
    this.#atOnce -= 1;
    if (binding === this.broken) throw new Error('table bookings has no column named words');
    // Like wrangler, it applies only what is missing.
    if (!this.applied.has(binding)) this.applied.set(binding, 1);
  };
}

describe('a hundred databases', () => {
  it('are migrated ten at once', async () => {
    const all = new Databases();
    const { done, failed, left } = await inWaves(BINDINGS, all.migrate);
    expect([done, failed.size, left]).toEqual([BINDINGS, 0, []]);
    expect([all.mostAtOnce, all.calls]).toEqual([10, 100]);
  });

  it('of which the 37th fails: its wave ends, no other begins, and the next run goes on', async () => {
    const all = new Databases();
    all.broken = 'DB37';
    const { done, failed, left } = await inWaves(BINDINGS, all.migrate);
    expect([...failed]).toEqual([['DB37', 'table bookings has no column named words']]);
    expect(done).toEqual([...BINDINGS.slice(0, 36), ...BINDINGS.slice(37, 40)]);
    expect(left).toEqual(BINDINGS.slice(40));
    expect(nextStep({ left })).toMatch(/ DB41, .*, DB100 were left as they are\.$/);
    expect(nextStep({ left: [] })).toMatch(/goes on where it stopped\.$/);
    expect([all.applied.size, all.calls]).toEqual([39, 40]);
    all.broken = null;
    expect((await inWaves(BINDINGS, all.migrate)).left).toEqual([]);
    expect([...all.applied.values()]).toEqual(BINDINGS.map(() => 1));
  });
});
