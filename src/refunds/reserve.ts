import { appendAudit } from '../audit/store.ts';
import { commitIntent, type Recorded } from '../bookings/commit.ts';
import { auditEntry, type BookingWork } from '../bookings/work.ts';
import type { Failure } from '../core/failure.ts';
import { ok, type Result } from '../core/result.ts';
import type { Statement } from '../db/database.ts';
import type { RefundRow, TransactionRow } from '../db/moneyTables.ts';
import { keyRow, keyTakenOr } from '../idempotency/actions.ts';
import { takeKey } from '../idempotency/store.ts';
import { SAFETY_NET_MS } from '../payments/inquiries.ts';
import { changed } from '../payments/settle.ts';
import { updateTransaction } from '../payments/store.ts';
import { type Charges, readCharges, refundable } from './charges.ts';
import type { RefundCommand } from './refund.ts';
import { allocate, type RefundPart } from './rules.ts';
import { insertRefund, selectRefunds } from './store.ts';

/** One part of a refund, reserved on its charge. */
export interface Reserved {
  readonly refund: RefundRow;
  readonly charge: TransactionRow;
}

/** One round of a refund: the parts that were reserved together. */
export interface Round {
  readonly parts: readonly Reserved[];
  readonly recorded: Recorded;
  /** The charges as they were read for it. */
  readonly charges: Charges;
}

/**
 * Decides which charges give what, and reserves it, in one batch. The first round takes it all or nothing; later ones
 * take what room there is on charges that have not refused.
 */
export async function reserve(
  work: BookingWork,
  command: RefundCommand,
  leftMinor: number,
  refused: ReadonlySet<number>,
): Promise<Result<Round, Failure>> {
  const charges = await readCharges(work);
  const candidates = refundable(charges, command.chargeId);
  if (!candidates.ok) return candidates;
  const open = candidates.value.filter(({ id }) => !refused.has(id));
  const rooms = open.map((row) => ({
    id: row.id,
    roomMinor: row.amountMinor - row.refundReservedMinor,
  }));
  const room = rooms.reduce((sum, { roomMinor }) => sum + roomMinor, 0);
  const first = refused.size === 0;
  const allocated = allocate(first ? leftMinor : Math.min(leftMinor, room), rooms);
  if (!allocated.ok) return allocated;

  await work.wakeBy(work.now() + SAFETY_NET_MS);
  const parts = allocated.value.flatMap((part) => {
    const charge = open.find(({ id }) => id === part.chargeId);
    return charge ? [reserved(work, command, charge, part)] : [];
  });
  return ok({ parts, charges, recorded: await record(work, command, parts, first) });
}

function reserved(
  work: BookingWork,
  command: RefundCommand,
  charge: TransactionRow,
  part: RefundPart,
): Reserved {
  const nowMs = work.now();
  const refund: RefundRow = {
    id: work.ids.next('refund', nowMs),
    transactionId: charge.id,
    propertyId: work.propertyId,
    bookingReference: work.reference,
    reference: work.newReference(),
    commandReference: command.commandReference,
    status: 'Processing',
    amountMinor: part.amountMinor,
    currency: charge.currency,
    description: command.description,
    gatewayReference: null,
    inquiries: 0,
    dueAtMs: nowMs + SAFETY_NET_MS,
    idempotencyKey: command.caller?.key ?? null,
    version: 1,
    createdAtMs: nowMs,
    settledAtMs: null,
  };
  const refundReservedMinor = charge.refundReservedMinor + part.amountMinor;
  return { refund, charge: changed(charge, { refundReservedMinor }) };
}

async function record(
  work: BookingWork,
  command: RefundCommand,
  parts: readonly Reserved[],
  first: boolean,
): Promise<Recorded> {
  const { queries } = work.database;
  const statements = parts.flatMap(({ refund, charge }): Statement[] => [
    updateTransaction(
      queries,
      { ...charge, version: charge.version - 1 },
      { refundReservedMinor: charge.refundReservedMinor },
    ),
    insertRefund(queries, refund),
    appendAudit(
      queries,
      auditEntry(work, { subject: `refund ${refund.id}`, from: null, to: refund.status }),
    ),
  ]);
  if (first && command.caller) {
    const taken = await keyRow(work, command.caller, command.commandReference, null);
    statements.unshift(takeKey(queries, taken));
  }
  const [head, ...rest] = statements;
  if (!head) return 'yes';
  try {
    return await commitIntent(work, 'd1.refund.intend', [head, ...rest], () => exist(work, parts));
  } catch (error) {
    throw keyTakenOr(error);
  }
}

async function exist(work: BookingWork, parts: readonly Reserved[]): Promise<boolean> {
  const { database, propertyId, reference } = work;
  const [rows] = await database.batch('d1.refund.read', [
    selectRefunds(database.queries, propertyId, reference),
  ]);
  return parts.every(({ refund }) => rows.some(({ id }) => id === refund.id));
}
