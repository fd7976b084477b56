import type { Address, Reply } from '../bookings/reply.ts';
import { type Booking, callBooking } from '../bookings/stub.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../db/database.ts';
import { type MirrorWork, mirrorPayout } from '../disbursements/mirror.ts';
import type { Env } from '../env.ts';
import type { Gateway, Origin } from '../gateways/gateway.ts';
import type { PayoutSource } from '../gateways/payouts.ts';
import type { Notice } from '../gateways/stripe/notices.ts';
import type { Crossings } from '../io/crossings.ts';
import { selectProperty } from '../properties/store.ts';

/** What hearing an acquirer needs. */
export interface NoticeWork {
  readonly env: Env;
  readonly database: Database;
  readonly crossings: Crossings;
  readonly gateway: Gateway;
  readonly payouts: PayoutSource;
  readonly requestId: string;
}

/**
 * Follows up what an acquirer told of (decisions: section 12): whatever it says, the acquirer is asked how things stand,
 * so that a notice may come twice, late, or before the one it follows. False when it is not about anything of ours.
 */
export async function hear(work: NoticeWork, notice: Notice): Promise<Result<boolean, Failure>> {
  switch (notice.kind) {
    case 'payment':
    case 'refund': {
      const { kind, about, account } = notice;
      const { reference } = about;
      return tell(work, about, (booking, address) =>
        booking.lookAgain(address, { kind, reference, account }),
      );
    }
    case 'dispute':
      return hearDispute(work, notice.id, notice.account);
    case 'payout': {
      const { crossings, database, payouts: source } = work;
      const mirroring: MirrorWork = { crossings, database, source };
      return ok(await mirrorPayout(mirroring, notice.id, notice.account));
    }
    case 'other':
      return ok(false);
  }
}

async function hearDispute(
  work: NoticeWork,
  id: string,
  account: string | null,
): Promise<Result<boolean, Failure>> {
  const report = await work.crossings.cross('gateway.dispute', () =>
    work.gateway.dispute(id, account),
  );
  if (report.kind === 'unknown') return err(failure('gateway_error', 'Stripe did not answer.'));
  if (report.kind === 'absent') return ok(false);
  const { about } = report;
  return tell(work, about, (booking, address) =>
    booking.recordDispute(address, about.reference, id, account),
  );
}

/** Calls the booking that something is about; it sees for itself whether the account that tells of it may. */
async function tell(
  work: NoticeWork,
  { propertyId, bookingReference: reference }: Origin,
  call: (booking: Booking, address: Address) => Promise<Reply<null>>,
): Promise<Result<boolean, Failure>> {
  const { database, env, crossings, requestId } = work;
  const [[property]] = await database.batch('d1.property.find', [
    selectProperty(database.queries, propertyId),
  ]);
  if (!property) return ok(false);
  const address = { propertyId, reference, requestId, actor: 'gateway' };
  const { answer } = await callBooking(env, crossings, address, (booking) =>
    call(booking, address),
  );
  if (answer.ok) return ok(true);
  const unknown = ['booking_not_found', 'transaction_not_found'].includes(answer.error.code);
  return unknown ? ok(false) : answer;
}
