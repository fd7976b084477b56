import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import { type SpanName, spanNames } from '../../src/platform/trace.ts';
import { sandboxDesk } from '../support/acquirerDesk.ts';
import { disagreementsInAll } from '../support/agreement.ts';
import { type Answer, call, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import {
  faultKinds,
  loseAlarm,
  placesOf,
  spansOf,
  sweepFrom,
  wakeAt,
  withFault,
} from '../support/faults.ts';
import { someOf } from '../support/long.ts';
import { agreeing, moneyCorrections, toldWithFault } from '../support/moneyCorrections.ts';
import { CREATE, cutOff, moneyOperations } from '../support/moneyOperations.ts';
import { disagreements } from '../support/oracle.ts';
import { story } from '../support/story.ts';

story({ silent: ['pms'] });

const seen = new Set<SpanName>();

// The outbox is sent beside the operations; its own faults are told in outbox.test.ts.

describe.each(moneyOperations)('$name', (operation) => {
  it.each(someOf(faultKinds, 4))(
    'has one effect at the acquirer and the same here, at whichever boundary: %s',
    async (kind) => {
      const { name, prepare, run } = operation;
      const clean = `${name} ${kind}`;
      const prepared = await prepare(clean);
      const crossed = await spansOf(() => run(clean, prepared));
      for (const { boundary } of crossed) seen.add(boundary);
      expect(await disagreements(clean)).toEqual([]);

      const wrong: string[] = [];
      for (const one of placesOf(kind, crossed, 32))
        wrong.push(...(await cutOff(operation, kind, one)));
      expect(wrong).toEqual([]);
    },
  );
});

describe.each(moneyCorrections)('news of a $name', (correction) => {
  const { corrections, happens, name } = correction;

  it('is taken in once, and comes to the same wherever that is cut off', async () => {
    const tell = await happens(sandboxDesk, name);
    expect((await disagreementsInAll(name)).length === 0).toBe(correction.movesNothing ?? false);
    const crossed = await spansOf(tell);
    for (const { boundary } of crossed) seen.add(boundary);
    expect(await agreeing(name, tell, 0)).toEqual([]);

    const wrong: string[] = [];
    for (const kind of someOf(faultKinds, 4)) {
      for (const one of placesOf(kind, crossed, 48)) {
        wrong.push(...(await toldWithFault(correction, sandboxDesk, kind, one)));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is corrected once however often it is told', async () => {
    const tell = await happens(sandboxDesk, `${name} again`);
    expect(await tell()).toBe(corrections);
    expect(await tell()).toBe(0);
  });
});

describe('an object that ends in the middle of a charge', () => {
  /** Ends the object while the acquirer has the request, as the platform does, and as it does when it is stuck. */
  async function abortedWhile(
    reference: string,
    charging: () => Promise<Answer>,
    made: boolean,
  ): Promise<Answer> {
    let arrived = false;
    const real = SandboxGateway.prototype.charge;
    const spy = vi.spyOn(SandboxGateway.prototype, 'charge').mockImplementation(async function (
      this: SandboxGateway,
      request,
    ) {
      if (made) await real.call(this, request);
      arrived = true;
      return new Promise(() => undefined);
    });
    const answer = charging();
    while (!arrived) await scheduler.wait(1);
    spy.mockRestore();
    const stub = testEnv.BOOKINGS.getByName(JSON.stringify(['demo', reference]));
    const abort = runInDurableObject(stub, (_object, state) => state.abort('it is stuck'));
    await abort.catch(() => undefined);
    return answer;
  }

  it.each([
    ['was made', true],
    ['was not made', false],
  ])(
    'answers that the outcome is unknown, and a repetition has one effect: it %s',
    async (what, made) => {
      const reference = `ABORT ${what}`;
      await makeBooking(reference, '4242424242424242');
      const key = { headers: { 'Idempotency-Key': reference } };
      const charging = () => call(CREATE, { reference, amount: 10 }, key);
      const first = await abortedWhile(reference, charging, made);
      expect([first.status, first.json.code]).toEqual([504, 'outcome_unknown']);
      const again = await charging();
      expect([again.status, again.json.code]).toEqual([504, 'outcome_unknown']);
      await wakeAt(reference, Date.now() + 2 * MINUTE_MS);
      expect((await charging()).status).toBe(200);
      expect(await disagreements(reference)).toEqual([]);
      expect(await transactionsOf(reference)).toHaveLength(1);
    },
  );
});

describe('the table of spanNames', () => {
  it('covers every one that money crosses, so that a new one cannot be forgotten', () => {
    const elsewhere = new Set<SpanName>([
      // Reads and writes that move no money.
      'd1.audit.read',
      'd1.audit.save',
      'd1.booking.read',
      'd1.card.attach',
      'd1.card.save',
      'd1.client.find',
      'd1.client.save',
      'd1.client.use',
      'd1.keyring.read',
      'd1.keyring.save',
      'd1.health',
      'd1.ops.read',
      // Moves of properties: test/worker/homes.test.ts.
      'd1.home.find',
      'd1.home.save',
      'd1.move.copy',
      'd1.move.read',
      'd1.move.save',
      'object.mover',
      'd1.session.end',
      'd1.session.read',
      'd1.session.save',
      'd1.settlement.read',
      'd1.console.read',
      'd1.signIn.save',
      'd1.staff.read',
      'd1.user.find',
      'd1.user.save',
      'd1.place.read',
      // Bookings that move to the archive and back: see archive.test.ts.
      'd1.archive.read',
      'd1.archive.save',
      // Guests who are erased: see erasure.test.ts.
      'd1.privacy.erase',
      'd1.privacy.read',
      'gateway.detach',
      'd1.property.find',
      'd1.property.save',
      'd1.plan.read',
      'd1.schedule.cancel',
      'd1.sweep.read',
      // What is owed follows what happened: see consoleOutstanding.test.ts.
      'd1.sums.follow',
      'd1.balance.read',
      'd1.transactions.read',
      'gateway.tokenize',
      // What guests enter, and messages to them: see guestFaults.test.ts.
      'd1.cardEntry.count',
      'd1.cardRequest.read',
      'd1.cardRequest.save',
      'd1.mail.read',
      'd1.mail.save',
      'mail.send',
      'object.sandbox',
      // Answers to disputes: see disputeFaults.test.ts.
      'd1.dispute.apply',
      'd1.dispute.intend',
      'd1.dispute.postpone',
      'gateway.acceptance',
      'gateway.document',
      'gateway.evidence',
      // What guests did on their pages.
      'd1.guestAct.save',
      // Whom a failing card is asked about, and renewed cards: see recoveryFaults.test.ts and renewedCards.test.ts.
      'd1.recovery.read',
      'd1.recovery.save',
      'gateway.card',
      // A clock that was moved: see clock.test.ts.
      'd1.clock.move',
      'd1.clock.read',
      'object.clock',
      'd1.inventory.read',
      'd1.inventory.save',
      'd1.pms.find',
      'd1.rooms.read',
      'd1.rooms.save',
      // The outbox, once its messages stand in D1: see outbox.test.ts.
      'd1.outbox.change',
      'd1.outbox.read',
      'd1.outbox.update',
      'object.dispatcher',
      // Events, once they stand in D1: see eventDelivery.test.ts.
      'd1.endpoint.read',
      'd1.endpoint.save',
      'd1.event.deliver',
      'd1.event.read',
      'webhook.send',
      'pms.send',
      'storage.breaker',
      // Disbursements: see disbursements.test.ts and webhooks.test.ts.
      'd1.disbursement.read',
      'd1.disbursement.save',
      'gateway.payouts',
      // Bank statements and the PMS's ledger: see ledgerFaults.test.ts.
      'd1.bankLine.read',
      'd1.bankLine.save',
      'd1.ledger.read',
      'd1.ledger.save',
      // What reconciling crosses: see reconciliationRuns.test.ts.
      'd1.reconciliation.read',
      'd1.reconciliation.save',
      'gateway.movements',
      // Applications and exports.
      'd1.application.read',
      'd1.application.save',
      'd1.export.checkpoint',
      'd1.export.expired',
      'd1.export.find',
      'd1.export.page',
      'd1.export.publish',
      'd1.export.start',
      'd1.exportUser.find',
      'd1.exportUser.save',
      'object.export',
      'r2.complete',
      'r2.create',
      'r2.delete',
      'r2.part',
      'r2.put',
      'r2.read',
      'storage.checkpoint',
      // Crossed only once something went wrong before: by the recovery that every case above ends with.
      'd1.answer.find',
      'd1.refund.postpone',
      'd1.transaction.postpone',
      'gateway.lookUp',
      // The answer to a refund that the acquirer rejects: see rejectedRefunds.test.ts.
      'd1.answer.keep',
      // Another entry came in between: see historyLock.test.ts.
      'd1.history.read',
      // A card that is not the booking's own.
      'd1.card.find',
      // The post of a property, which moves no money.
      'object.mailer',
    ]);
    const missing = spanNames.filter((boundary) => !seen.has(boundary) && !elsewhere.has(boundary));
    expect(missing).toEqual([]);
  });

  it('holds for the recovery itself, at whichever boundary it is cut off', async () => {
    const lost = '4000000000009102';
    const wrong: string[] = [];
    const resolve = (reference: string) => wakeAt(reference, Date.now() + HOUR_MS);
    await makeBooking('recovery', lost);
    await call(CREATE, { reference: 'recovery', amount: 10 });
    const crossed = await spansOf(() => resolve('recovery'));
    expect(crossed.map(({ boundary }) => boundary)).toContain('gateway.lookUp');
    for (const kind of faultKinds) {
      for (const { index, boundary } of placesOf(kind, crossed)) {
        const reference = `recovery ${kind} ${index}`;
        await makeBooking(reference, lost);
        await call(CREATE, { reference, amount: 10 });
        await withFault(index, kind, () => resolve(reference));
        await loseAlarm(reference);
        await sweepFrom(Date.now() + HOUR_MS, 3, 20);
        for (const found of await disagreements(reference)) {
          wrong.push(`${kind} at ${index} ${boundary}: ${found}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
