import { and, asc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { payloadOf } from '../../src/pms/outbox/payloads.ts';
import { type OutboxRow, outbox } from '../../src/schema/outboxTables.ts';
import { testEnv } from './api.ts';

type TransactionData = Readonly<Record<string, string>>;

/** A message for the PMS as it was queued. */
export interface QueuedMessage {
  readonly type: OutboxRow['messageType'];
  readonly payload: ReturnType<typeof payloadOf>;
}

/** The messages of a booking, in order. */
export async function messagesOf(reference: string, propertyId?: string): Promise<QueuedMessage[]> {
  const rows = await drizzle(testEnv.DB)
    .select()
    .from(outbox)
    .where(
      and(
        eq(outbox.bookingReference, reference),
        propertyId === undefined ? undefined : eq(outbox.propertyId, propertyId),
      ),
    )
    .orderBy(asc(outbox.messageId));
  return rows.map((row) => ({ type: row.messageType, payload: payloadOf(row) }));
}

/** What a booking's messages about money tell, in order. */
export async function moneyTold(
  reference: string,
  propertyId?: string,
): Promise<TransactionData[]> {
  const messages = await messagesOf(reference, propertyId);
  return messages.flatMap(({ payload, type }) =>
    type === 'PushTransaction' ? [payload['TransactionData'] as TransactionData] : [],
  );
}

/** Some members of a booking's messages about money, in order. */
export async function membersTold(
  reference: string,
  ...names: readonly string[]
): Promise<(string | undefined)[][]> {
  const told = await moneyTold(reference);
  return told.map((data) => names.map((name) => data[name]));
}
