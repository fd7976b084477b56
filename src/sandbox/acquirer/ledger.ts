import type { MovementQuery } from '../../gateways/movements.ts';
import type { CardTraits } from '../../gateways/vault.ts';
import {
  type AcquirerOperation,
  entryOf,
  type LedgerEntry,
  type SequencedOperation,
} from './operations.ts';
import {
  type AcquirerPayment,
  heldMinor,
  isDisputed,
  paymentOf,
  refundableMinor,
} from './payments.ts';
import type { JudgedRequest, Outage, Subject } from './rules/judge.ts';
import { type CardBehaviour, holdLifeOf } from './rules/testCards.ts';

/** A card in the vault, without its number. */
export interface VaultedCard {
  readonly token: string;
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly behaviour: CardBehaviour;
  readonly traits: CardTraits;
  /** Set once it was detached: nothing charges it any more. */
  readonly isDetached?: true;
}

/** The token of a card: its account, if that is not the platform's, and its id there. */
export function tokenIn(account: string | null, id: string): string {
  return account === null ? id : `${account}/${id}`;
}

/** The id of a card at its account. */
export function idIn(token: string): string {
  return token.slice(token.indexOf('/') + 1);
}

const PER_PAGE = 100;

/** What a page lists: the operations that moved money, or the inquiries. Each has an index by time. */
const LISTED = { movements: 'moved_minor <> 0', inquiries: "kind = 'inquiry'" } as const;

/** A page of operations, by time. `nextCursor` is null after the last page. */
interface OperationPage {
  readonly operations: readonly AcquirerOperation[];
  readonly nextCursor: string | null;
}

/** Operations are kept as JSON. What they are found by follows from it. A service's key never looks like a reference of ours. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS cards (token TEXT PRIMARY KEY, card TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS lost_answers (idempotency_key TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS refused_requests (token TEXT PRIMARY KEY, refused INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS outages (property_id TEXT PRIMARY KEY, outage TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS operations (
    sequence INTEGER PRIMARY KEY, operation TEXT NOT NULL,
    gateway_reference AS (operation ->> '$.gatewayReference'),
    idempotency_key AS (coalesce(operation ->> '$.idempotencyKey', operation ->> '$.gatewayReference')),
    kind AS (operation ->> '$.kind'), status AS (operation ->> '$.status'),
    booking_reference AS (operation ->> '$.bookingReference'), subject AS (operation ->> '$.subject'),
    payment AS (operation ->> '$.payment'), bank_step AS (operation ->> '$.bankStep.id'),
    at_ms AS (operation ->> '$.atMs'), moved_minor AS (operation ->> '$.movedMinor'));
  CREATE UNIQUE INDEX IF NOT EXISTS operations_by_reference ON operations (gateway_reference);
  CREATE UNIQUE INDEX IF NOT EXISTS operations_by_key ON operations (idempotency_key);
  CREATE INDEX IF NOT EXISTS operations_by_booking ON operations (booking_reference);
  CREATE INDEX IF NOT EXISTS operations_declined ON operations (subject) WHERE status = 'declined';
  CREATE INDEX IF NOT EXISTS operations_of_payment ON operations (payment) WHERE payment <> gateway_reference;
  CREATE INDEX IF NOT EXISTS operations_at_bank ON operations (bank_step) WHERE bank_step IS NOT NULL;
  CREATE INDEX IF NOT EXISTS movements_by_time ON operations (at_ms, sequence) WHERE moved_minor <> 0;
  CREATE INDEX IF NOT EXISTS inquiries_by_time ON operations (at_ms, sequence) WHERE kind = 'inquiry'`;

export class AcquirerLedger {
  readonly #sql: SqlStorage;
  /** As the storage has them, by property: every request asks for one. */
  readonly #outages: Map<string, Outage>;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(TABLES);
    const outages = this.#rows('SELECT property_id, outage FROM outages');
    this.#outages = new Map(
      outages.map((row) => [row['property_id'] as string, JSON.parse(row['outage'] as string)]),
    );
  }

  keepCard(card: VaultedCard): void {
    this.#sql.exec('INSERT INTO cards VALUES (?, ?)', card.token, JSON.stringify(card));
  }

  vaulted(token: string): VaultedCard | null {
    const [row] = this.#rows('SELECT card FROM cards WHERE token = ?', token);
    return row ? cardIn(row) : null;
  }

  renewCard(
    token: string,
    { expiryMonth, expiryYear }: Pick<VaultedCard, 'expiryMonth' | 'expiryYear'>,
  ): void {
    this.#changeCard(token, { expiryMonth, expiryYear });
  }

  detachCard(token: string): void {
    this.#changeCard(token, { isDetached: true });
  }

  #changeCard(token: string, change: Partial<VaultedCard>): void {
    const card = this.vaulted(token);
    if (card === null) return;
    const changed = JSON.stringify({ ...card, ...change });
    this.#sql.exec('UPDATE cards SET card = ? WHERE token = ?', changed, token);
  }

  /** Begins the outage of a property, in place of an earlier one; null ends it. */
  setOutage(propertyId: string, outage: Outage | null): void {
    this.#outages.delete(propertyId);
    this.#sql.exec('DELETE FROM outages WHERE property_id = ?', propertyId);
    if (outage === null) return;
    this.#outages.set(propertyId, outage);
    this.#sql.exec('INSERT INTO outages VALUES (?, ?)', propertyId, JSON.stringify(outage));
  }

  /** The outage of a property; null while there is none. */
  outageOf(propertyId: string): Outage | null {
    return this.#outages.get(propertyId) ?? null;
  }

  record(operation: AcquirerOperation): void {
    this.#sql.exec('INSERT INTO operations (operation) VALUES (?)', textOf(operation));
  }

  /** Records what became of an operation since: a refund that failed, a dispute that was closed. */
  change(operation: AcquirerOperation): void {
    this.#sql.exec(
      'UPDATE operations SET operation = ? WHERE gateway_reference = ?',
      textOf(operation),
      operation.gatewayReference,
    );
  }

  /** Records how an open payment ended. It moves to the end of the ledger: whoever reads on from there finds it. */
  end(operation: AcquirerOperation): void {
    this.#sql.exec(
      `UPDATE operations SET sequence = (SELECT max(sequence) + 1 FROM operations), operation = ?
       WHERE gateway_reference = ?`,
      textOf(operation),
      operation.gatewayReference,
    );
  }

  /** The payment that the bank's page of this name is about. */
  atBank(stepId: string): AcquirerOperation | null {
    return this.#first('bank_step = ?', stepId);
  }

  find(idempotencyKey: string): AcquirerOperation | null {
    return this.#first('idempotency_key = ?', idempotencyKey);
  }

  /** The charge that was taken for a transaction of the service, whose keys begin with its reference. */
  takenFor(reference: string): AcquirerOperation | null {
    return this.#first(
      `idempotency_key >= ? AND idempotency_key < ? AND kind = 'charge' AND status = 'succeeded'`,
      reference,
      `${reference}~`,
    );
  }

  operation(gatewayReference: string): AcquirerOperation | null {
    return this.#first('gateway_reference = ?', gatewayReference);
  }

  payment(gatewayReference: string): AcquirerPayment | null {
    const which = `sequence IN (
      WITH root AS (SELECT payment AS id FROM operations WHERE gateway_reference = ?)
      SELECT sequence FROM root JOIN operations ON gateway_reference = root.id
      UNION ALL SELECT sequence FROM root JOIN operations ON payment = root.id AND payment <> gateway_reference)`;
    return paymentOf(this.#operations(`${which} ORDER BY sequence`, gatewayReference));
  }

  /** A payment by the id of one of its operations, or by the key that one was made with. */
  paymentBy(idOrKey: string): AcquirerPayment | null {
    return this.payment(idOrKey) ?? this.payment(this.find(idOrKey)?.gatewayReference ?? '');
  }

  /** Everything recorded, oldest first; only one booking reference's when one is given. */
  entries(bookingReference: string | null): LedgerEntry[] {
    const found =
      bookingReference === null
        ? this.#operations('true ORDER BY sequence')
        : this.#operations('booking_reference = ? ORDER BY sequence', bookingReference);
    return found.map(entryOf);
  }

  /** The operations that moved money, after a sequence number, in the order of the ledger, at most `limit`. */
  movementsAfter(sequence: number, limit: number): SequencedOperation[] {
    const which = 'sequence > ? AND moved_minor <> 0 ORDER BY sequence LIMIT ?';
    return this.#operations(which, sequence, limit);
  }

  /** A page of what happened from `fromMs` until before `toMs`. */
  page(
    listed: keyof typeof LISTED,
    { fromMs, toMs, cursor }: Omit<MovementQuery, 'account'>,
  ): OperationPage {
    const [afterMs = fromMs, afterSequence = 0] = cursor?.split('.').map(Number) ?? [];
    const found = this.#operations(
      `at_ms >= ? AND at_ms < ? AND (at_ms, sequence) > (?, ?) AND ${LISTED[listed]}
       ORDER BY at_ms, sequence LIMIT ?`,
      Math.max(fromMs, afterMs),
      toMs,
      afterMs,
      afterSequence,
      PER_PAGE + 1,
    );
    const operations = found.slice(0, PER_PAGE);
    const last = found.length > PER_PAGE ? operations.at(-1) : undefined;
    return { operations, nextCursor: last ? `${last.atMs}.${last.sequence}` : null };
  }

  /** Records that a key's answer is lost; returns true only the first time. */
  firstLoss(idempotencyKey: string): boolean {
    const kept = 'INSERT INTO lost_answers VALUES (?) ON CONFLICT DO NOTHING RETURNING 1';
    return this.#rows(kept, idempotencyKey).length === 1;
  }

  /** Counts a request for a card as one too many, unless `most` were counted; returns whether it was. */
  countRefusal(token: string, most: number): boolean {
    const counted = `INSERT INTO refused_requests VALUES (?, 1)
      ON CONFLICT (token) DO UPDATE SET refused = refused + 1 WHERE refused < ? RETURNING 1`;
    return this.#rows(counted, token, most).length === 1;
  }

  /** A card as the subject of a charge or an authorization; null if the vault does not have it. */
  card(token: string): Subject | null {
    const [row] = this.#rows(
      `SELECT card, (SELECT count(*) FROM operations WHERE subject = token AND status = 'declined') AS declines
       FROM cards WHERE token = ?`,
      token,
    );
    const card = row && cardIn(row);
    if (card === undefined || card.isDetached) return null;
    return {
      ...subjectOf(card),
      declinesBefore: Number(row?.['declines']),
      remainingMinor: null,
      currency: null,
      disputed: false,
    };
  }

  /**
   * An earlier operation as the subject of a capture, release or refund, with the amount it has left. A capture or a
   * release is of an authorization and uses it up; a refund is of a charge or capture.
   */
  earlier(gatewayReference: string, kind: JudgedRequest['kind']): Subject | null {
    const payment = this.payment(gatewayReference);
    const subject = kind === 'refund' ? payment?.taken : payment?.made;
    const fits = subject?.gatewayReference === gatewayReference && subject.status === 'succeeded';
    const card = subject?.vaultToken ? this.vaulted(subject.vaultToken) : null;
    if (!payment || !fits || card === null) return null;
    return {
      ...subjectOf(card),
      declinesBefore: 0,
      remainingMinor: kind === 'refund' ? refundableMinor(payment) : heldMinor(payment),
      currency: subject.currency,
      disputed: isDisputed(payment),
    };
  }

  #first(which: string, ...values: SqlStorageValue[]): AcquirerOperation | null {
    return this.#operations(which, ...values)[0] ?? null;
  }

  #operations(which: string, ...values: SqlStorageValue[]): SequencedOperation[] {
    return this.#rows(`SELECT sequence, operation FROM operations WHERE ${which}`, ...values).map(
      (row) => ({
        ...(JSON.parse(row['operation'] as string) as AcquirerOperation),
        sequence: Number(row['sequence']),
      }),
    );
  }

  #rows(query: string, ...values: SqlStorageValue[]): Record<string, SqlStorageValue>[] {
    return this.#sql.exec(query, ...values).toArray();
  }
}

/** An operation as it is kept: its place is a column. */
function textOf(operation: AcquirerOperation): string {
  return JSON.stringify({ ...operation, sequence: undefined });
}

function cardIn(row: Record<string, SqlStorageValue>): VaultedCard {
  return JSON.parse(row['card'] as string) as VaultedCard;
}

function subjectOf(
  card: VaultedCard,
): Pick<Subject, 'vaultToken' | 'behaviour' | 'expiresAtMs' | 'holdLifeMs'> {
  const { token, behaviour, expiryMonth, expiryYear, traits } = card;
  // Months count from 0 here, so this is the start of the next month.
  const expiresAtMs = Date.UTC(expiryYear, expiryMonth, 1);
  return { vaultToken: token, behaviour, expiresAtMs, holdLifeMs: holdLifeOf(traits) };
}
