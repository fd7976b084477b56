/** What the stories of a file, or of a group, begin and end with. */
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { BookingObject } from '../../src/booking/object.ts';
import { EventDispatcher } from '../../src/events/delivery/object.ts';
import { MailDispatcher } from '../../src/mails/object.ts';
import { PmsDispatcher } from '../../src/pms/outbox/object.ts';
import { SandboxAcquirer } from '../../src/sandbox/acquirer/acquirer.ts';
import { freshDatabase } from './api.ts';

/** Has the sandbox acquirer not tell of payments and cards, as it does a moment after its answers. */
export const holdNews = () => vi.spyOn(SandboxAcquirer.prototype, 'alarm').mockResolvedValue();

/**
 * What works by itself in real time, beside a test: it would change what the test looks at, or be counted with it. What
 * is due is done by sweeps and wakings (faults.ts) instead.
 */
const beside = {
  /** The first status check comes seconds after a lost answer. */
  alarms: () => [vi.spyOn(BookingObject.prototype, 'alarm').mockResolvedValue()],
  events: () => [
    vi.spyOn(EventDispatcher.prototype, 'notify').mockResolvedValue(),
    vi.spyOn(EventDispatcher.prototype, 'alarm').mockResolvedValue(),
  ],
  mails: () => [
    vi.spyOn(MailDispatcher.prototype, 'notify').mockResolvedValue(),
    vi.spyOn(MailDispatcher.prototype, 'alarm').mockResolvedValue(),
  ],
  news: () => [holdNews()],
  pms: () => [vi.spyOn(PmsDispatcher.prototype, 'notify').mockResolvedValue()],
};

interface Beginning {
  /** What does nothing meanwhile. */
  readonly silent?: readonly (keyof typeof beside)[];
  /** Whether each story has a database of its own, instead of one for the file. */
  readonly freshDatabase?: boolean;
  /** Whether the file's spies stay until its end, instead of none outliving its story. */
  readonly keepSpies?: boolean;
}

/** Prepares each story of the file, or of the group that calls this. */
export function story({ silent = [], ...beginning }: Beginning = {}): void {
  const silenced: { mockRestore: () => void }[] = [];
  const silence = () => {
    for (const name of silent) silenced.push(...beside[name]());
  };
  // Also while the file is prepared.
  beforeAll(silence);
  beforeEach(silence);
  if (beginning.freshDatabase) beforeEach(freshDatabase);
  afterEach(() => {
    if (!beginning.keepSpies) vi.restoreAllMocks();
    // Also while the next group is prepared, which is before its first story begins.
    silence();
  });
  afterAll(() => {
    for (const spy of silenced) spy.mockRestore();
  });
}
