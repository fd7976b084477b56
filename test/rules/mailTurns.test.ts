/** How often an address gets mails about payments, and what becomes of those that it does not get yet. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/core/time.ts';
import { BOUND_MS, type GotLately, turnsAt } from '../../src/mails/rules.ts';

const NOW = Date.UTC(2027, 1, 14);
const fresh = { wasPutOff: false, isSummary: false };
const putOff = { wasPutOff: true, isSummary: false };
const summary = { wasPutOff: true, isSummary: true };

const got = (mails: number, firstAtMs = NOW - 1_000): GotLately => ({ mails, firstAtMs });
const kindsOf = (...of: Parameters<typeof turnsAt>) => turnsAt(...of).map(({ kind }) => kind);

describe('mails to an address', () => {
  it('go out alone, up to ten within an hour, and the rest later', () => {
    const due = Array.from({ length: 12 }, () => fresh);
    const turns = turnsAt(due, undefined, NOW);
    expect(turns.slice(0, 10)).toEqual(due.slice(0, 10).map(() => ({ kind: 'alone' })));
    const later = { kind: 'later', atMs: NOW + HOUR_MS };
    expect(turns.slice(10)).toEqual([later, later]);
    expect(kindsOf([fresh, fresh], got(9), NOW)).toEqual(['alone', 'later']);
  });

  it('wait until an hour after the first of the ten', () => {
    const later = { kind: 'later', atMs: NOW - 1_000 + BOUND_MS };
    expect(turnsAt([fresh, summary], got(10), NOW)).toEqual([later, later]);
    expect(turnsAt([putOff], got(11), NOW)).toEqual([later]);
  });

  it('go out as one where one of them had to wait', () => {
    expect(kindsOf([putOff, fresh], got(9), NOW)).toEqual(['together', 'together']);
    expect(kindsOf([fresh, fresh, putOff], undefined, NOW)).toEqual([
      'together',
      'together',
      'together',
    ]);
    // One that waited by itself is no sum of others.
    expect(kindsOf([putOff], got(9), NOW)).toEqual(['alone']);
  });

  it('leave out of a sum what sums up others already', () => {
    expect(kindsOf([summary, putOff, fresh], got(8), NOW)).toEqual([
      'alone',
      'together',
      'together',
    ]);
    expect(kindsOf([summary, putOff, fresh], got(9), NOW)).toEqual([
      'later',
      'together',
      'together',
    ]);
    expect(kindsOf([summary, putOff], got(9), NOW)).toEqual(['alone', 'later']);
  });

  it('are never more than ten within an hour, and none is forgotten', () => {
    const mail = fc.record({ wasPutOff: fc.boolean(), isSummary: fc.boolean() });
    fc.assert(
      fc.property(fc.array(mail, { maxLength: 25 }), fc.nat(12), (due, mails) => {
        const turns = turnsAt(due, mails === 0 ? undefined : got(mails), NOW);
        expect(turns).toHaveLength(due.length);
        const kinds = turns.map(({ kind }) => kind);
        const sent = kinds.filter((kind) => kind === 'alone').length;
        const asOne = kinds.includes('together') ? 1 : 0;
        expect(sent + asOne).toBeLessThanOrEqual(Math.max(0, 10 - mails));
        // Nothing waits while there is room.
        if (kinds.includes('later')) expect(sent + asOne).toBe(Math.max(0, 10 - mails));
      }),
    );
  });
});
