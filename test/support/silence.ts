/**
 * Silences what works by itself in real time, beside a test: it would change what the test looks at, or be counted with
 * it. What is due is done by sweeps and wakings (faults.ts) instead.
 */
import { beforeAll, beforeEach, vi } from 'vitest';
import { BookingObject } from '../../src/booking/object.ts';
import { MailDispatcher } from '../../src/mails/object.ts';
import { PmsDispatcher } from '../../src/pms/outbox/object.ts';

/** Lets no alarm of a booking do anything in this file: the first status check comes seconds after a lost answer. */
export function silenceAlarms(): void {
  inAll(() => vi.spyOn(BookingObject.prototype, 'alarm').mockResolvedValue());
}

/** Tells no dispatcher of messages to PMSs in this file. */
export function silencePms(): void {
  inAll(() => vi.spyOn(PmsDispatcher.prototype, 'notify').mockResolvedValue());
}

/** Lets no mail of a property go out in the tests of this file, or of the group that calls it. */
export function silenceMails(): void {
  beforeEach(() => {
    const silenced = [
      vi.spyOn(MailDispatcher.prototype, 'notify').mockResolvedValue(),
      vi.spyOn(MailDispatcher.prototype, 'alarm').mockResolvedValue(),
    ];
    return () => {
      for (const spy of silenced) spy.mockRestore();
    };
  });
}

/** In what prepares a file, and in each test, which may restore all spies at its end. */
function inAll(spy: () => unknown): void {
  beforeAll(() => void spy());
  beforeEach(() => void spy());
}
