import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { commitIntent, type Recorded } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import type { CallerKey } from '../../operation/idempotency.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import type { RefundRow } from '../../schema/moneyTables.ts';
import { SAFETY_NET_MS } from '../gateway/rules/statusChecks.ts';
import type { AtGateway } from '../payments/rules/cases.ts';
import { type Charges, readNamedCharges, refundable } from './charges.ts';
import { readRefunds, refundEntry, reserveOn } from './gatewayOperation.ts';
import { allocateSparingBonds, beyondDailyLimit, newRefund, type RefundPart } from './rules.ts';
import { insertRefund } from './store.ts';

/** A refund as it reaches the booking's object (interface: Create a refund). */
export interface RefundCommand {
  readonly amountMinor: number;
  readonly currency: string;
  /** The charge to refund against; null for any of the booking's. */
  readonly chargeId: number | null;
  readonly description: string | null;
  /** Whether the stay costs less by it, so that what it gives back is not due again. */
  readonly waive: boolean;
  /** 32 hex digits that every record of this request carries. */
  readonly commandReference: string;
  /** The most that the actor gives back of the booking in a day, in minor units; null for any amount. */
  readonly dailyLimitMinor: number | null;
  readonly caller: CallerKey | null;
}

export interface Reserved {
  readonly refund: RefundRow;
  readonly unreserved: AtGateway;
  readonly charge: AtGateway;
}

export interface Round {
  readonly state: BookingState;
  readonly parts: readonly Reserved[];
  readonly recorded: Recorded;
  readonly charges: Charges;
}

/** What a round may take. */
interface Reach {
  /** What is still to be refunded, in minor units. */
  readonly leftMinor: number;
  readonly rejecting: ReadonlySet<number>;
  /** Whether it is the request's first: it takes the caller's key. */
  readonly isFirst: boolean;
  /** Whether it reserves everything that is left or nothing; otherwise what there is. */
  readonly isWhole: boolean;
}

/** Decides how much each charge refunds, and reserves it, in one batch. */
export async function reserve(
  work: BookingWork,
  state: BookingState,
  command: RefundCommand,
  { isFirst, isWhole, leftMinor, rejecting }: Reach,
): Promise<Result<Round>> {
  const beyond = isFirst ? await whyBeyondLimit(work, state, command) : null;
  if (beyond) return err(beyond);
  const charges = await readNamedCharges(work, state, command.chargeId);
  const allowed = refundable(charges, command.chargeId);
  if (!allowed.ok) return allowed;
  const candidates = allowed.value.map((row) => ({
    id: row.id,
    refundableMinor: row.amountMinor - row.refundReservedMinor,
    isSpared: command.chargeId === null && row.purpose === 'Bond',
    isRejecting: rejecting.has(row.id),
  }));
  const allocated = allocateSparingBonds(leftMinor, candidates, isWhole);
  if (!allocated.ok) return allocated;

  await work.wakeBy(work.now() + SAFETY_NET_MS);
  const parts = allocated.value.flatMap((part) => {
    const charge = allowed.value.find(({ id }) => id === part.chargeId);
    return charge ? [reserved(work, state, command, charge, part)] : [];
  });
  return ok({ state, parts, charges, recorded: await record(work, command, parts, isFirst) });
}

/** Why the command exceeds what its actor may give back today: judged in the booking's turn, which is one at a time. */
async function whyBeyondLimit(
  work: BookingWork,
  { property: { timeZone } }: BookingState,
  { amountMinor, currency, dailyLimitMinor: limitMinor }: RefundCommand,
): Promise<Failure | null> {
  if (limitMinor === null) return null;
  const { actor, memory } = work;
  const made = memory.rows?.refunds ?? (await readRefunds(work));
  const limit = { limitMinor, actor, timeZone, nowMs: work.now() };
  return beyondDailyLimit({ amountMinor, currency }, made, limit);
}

/** A part of a refund with its charge, before and after its amount is reserved there. */
export function reserved(
  work: BookingWork,
  state: BookingState,
  command: Pick<RefundCommand, 'caller' | 'commandReference' | 'description' | 'waive'>,
  charge: AtGateway,
  part: RefundPart,
): Reserved {
  const nowMs = work.now();
  const refund = newRefund(charge, {
    id: work.ids.next('refund', nowMs),
    reference: work.newReference(),
    commandReference: command.commandReference,
    amountMinor: part.amountMinor,
    description: command.description,
    waived: command.waive,
    actor: work.actor,
    // What the PMS is told depends on the property.
    propertyVersion: state.property.version,
    dueAtMs: nowMs + SAFETY_NET_MS,
    idempotencyKey: command.caller?.key ?? null,
    createdAtMs: nowMs,
  });
  const refundReservedMinor = charge.refundReservedMinor + part.amountMinor;
  const version = charge.version + 1;
  return { refund, unreserved: charge, charge: { ...charge, refundReservedMinor, version } };
}

async function record(
  work: BookingWork,
  command: RefundCommand,
  parts: readonly Reserved[],
  first: boolean,
): Promise<Recorded> {
  const { caller, commandReference } = command;
  const takes = { caller, commandReference, answer: null };
  const writes = [
    ...(first && caller ? [{ takes }] : []),
    ...parts.flatMap((part) => reservation(work, part)),
  ];
  if (writes.length === 0) return 'committed';
  return commitIntent(work, 'd1.refund.intend', writes, () => areRecorded(work, parts));
}

/** What records a part and reserves its amount. */
export function reservation(work: BookingWork, { refund, unreserved, charge }: Reserved): Write[] {
  const why = refund.waived ? 'the stay costs less by it' : undefined;
  return [
    reserveOn(work, unreserved, refund.amountMinor),
    insertRefund(refund),
    refundEntry(work, refund.createdAtMs, { before: null, after: refund, charge }, why),
  ];
}

async function areRecorded(work: BookingWork, parts: readonly Reserved[]): Promise<boolean> {
  const rows = await readRefunds(work);
  return parts.every(({ refund }) => rows.some(({ id }) => id === refund.id));
}
