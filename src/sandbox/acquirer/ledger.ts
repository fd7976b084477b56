import type { CardTraits } from '../../gateways/vault.ts';
import type { MovementPosition } from './movements.ts';
import {
  type AcquirerOperation,
  entryOf,
  type LedgerEntry,
  type SequencedOperation,
} from './operations.ts';
import type { Outage } from './outage.ts';
import {
  type AcquirerPayment,
  heldMinor,
  isDisputed,
  paymentOf,
  refundableMinor,
} from './payments.ts';
import type { JudgedRequest, Subject } from './rules/judge.ts';
import { type CardBehaviour, LONGEST_HOLD_MS } from './rules/testCards.ts';
import { prepareStorage } from './storage.ts';

/** A card in the vault, without its number. */
export interface VaultedCard {
  readonly token: string;
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly behaviour: CardBehaviour;
  /** How long its network gives a hold; absent in cards of earlier versions. */
  readonly holdLifeMs?: number;
  /** What the sandbox knows of it; absent in cards of earlier versions. */
  readonly traits?: CardTraits;
}

/** The sandbox acquirer's storage. */
export class AcquirerLedger {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    prepareStorage(sql);
  }

  keepCard(card: VaultedCard): void {
    this.#sql.exec('INSERT INTO cards VALUES (?, ?)', card.token, JSON.stringify(card));
  }

  /** A card of the vault. */
  vaulted(token: string): VaultedCard | null {
    return this.#card(token);
  }

  /** Keeps another expiry of a card. */
  renewCard(
    token: string,
    { expiryMonth, expiryYear }: Pick<VaultedCard, 'expiryMonth' | 'expiryYear'>,
  ): void {
    const card = this.#card(token);
    if (card === null) return;
    const renewed = JSON.stringify({ ...card, expiryMonth, expiryYear });
    this.#sql.exec('UPDATE cards SET card = ? WHERE token = ?', renewed, token);
  }

  /** Begins the outage of a property, in place of an earlier one; null ends it. */
  setOutage(propertyId: string, outage: Outage | null): void {
    this.#sql.exec('DELETE FROM outages WHERE property_id = ?', propertyId);
    if (outage === null) return;
    this.#sql.exec('INSERT INTO outages VALUES (?, ?)', propertyId, JSON.stringify(outage));
  }

  /** The outage of a property; null while there is none. */
  outageOf(propertyId: string): Outage | null {
    const query = 'SELECT outage FROM outages WHERE property_id = ?';
    const row = this.#sql.exec(query, propertyId).toArray()[0];
    return row ? (JSON.parse(row['outage'] as string) as Outage) : null;
  }

  record(operation: AcquirerOperation): void {
    this.#sql.exec(
      `INSERT INTO operations (idempotency_key, kind, status, booking_reference, subject, vault_token,
        gateway_reference, amount_minor, operation, payment, at_ms, moved_minor)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      // The column is unique. A service's key never looks like one of our own references.
      operation.idempotencyKey ?? operation.gatewayReference,
      operation.kind,
      operation.status,
      operation.bookingReference ?? '',
      operation.subject,
      operation.vaultToken,
      operation.gatewayReference,
      operation.amountMinor,
      JSON.stringify(operation),
      operation.payment,
      operation.atMs,
      operation.movedMinor,
    );
  }

  /** Records what became of an operation since: a refund that failed, a dispute that was closed. */
  change(operation: AcquirerOperation): void {
    this.#sql.exec(
      'UPDATE operations SET status = ?, operation = ? WHERE gateway_reference = ?',
      operation.status,
      JSON.stringify(operation),
      operation.gatewayReference,
    );
  }

  /** Records a payment that its cardholder's bank wants to verify, under the name of the bank's page. */
  recordOpen(operation: AcquirerOperation, stepId: string): void {
    this.record(operation);
    this.#sql.exec('INSERT INTO bank_steps VALUES (?, ?)', stepId, operation.gatewayReference);
  }

  /** Records how an open payment ended. It moves to the end of the ledger: whoever reads on from there finds it. */
  end(operation: AcquirerOperation): void {
    this.#sql.exec(
      `UPDATE operations SET sequence = (SELECT max(sequence) + 1 FROM operations), status = ?, operation = ?,
        at_ms = ?, moved_minor = ? WHERE gateway_reference = ?`,
      operation.status,
      JSON.stringify(operation),
      operation.atMs,
      operation.movedMinor,
      operation.gatewayReference,
    );
  }

  /** The payment that the bank's page of this name is about. */
  atBank(stepId: string): AcquirerOperation | null {
    return this.#one(
      `SELECT operation FROM operations
       WHERE gateway_reference = (SELECT gateway_reference FROM bank_steps WHERE id = ?)`,
      stepId,
    );
  }

  find(idempotencyKey: string): AcquirerOperation | null {
    return this.#one('SELECT operation FROM operations WHERE idempotency_key = ?', idempotencyKey);
  }

  /** The charge that was taken for a transaction of the service, whose keys begin with its reference. */
  takenFor(reference: string): AcquirerOperation | null {
    const row = this.#sql
      .exec(
        `SELECT operation FROM operations WHERE idempotency_key >= ? AND idempotency_key < ?
         AND kind = 'charge' AND status = 'succeeded'`,
        reference,
        `${reference}~`,
      )
      .toArray()[0];
    return row ? operationIn(row) : null;
  }

  /** The operation that the acquirer gave this id. */
  operation(gatewayReference: string): AcquirerOperation | null {
    return this.#one(
      'SELECT operation FROM operations WHERE gateway_reference = ?',
      gatewayReference,
    );
  }

  /** A payment by the id of any of its operations. */
  payment(gatewayReference: string): AcquirerPayment | null {
    const rows = this.#sql.exec(
      `SELECT operation FROM operations WHERE payment =
        (SELECT payment FROM operations WHERE gateway_reference = ?) ORDER BY sequence`,
      gatewayReference,
    );
    return paymentOf(rows.toArray().map(operationIn));
  }

  entries(bookingReference: string | null): LedgerEntry[] {
    const rows =
      bookingReference === null
        ? this.#sql.exec('SELECT operation FROM operations ORDER BY sequence')
        : this.#sql.exec(
            'SELECT operation FROM operations WHERE booking_reference = ? ORDER BY sequence',
            bookingReference,
          );
    return rows.toArray().map((row) => entryOf(operationIn(row)));
  }

  /** The operations that moved money, after a sequence number, in the order of the ledger, at most `limit`. */
  movementsAfter(sequence: number, limit: number): SequencedOperation[] {
    const rows = this.#sql.exec(
      `SELECT sequence, operation FROM operations
       WHERE sequence > ? AND moved_minor <> 0 ORDER BY sequence LIMIT ?`,
      sequence,
      limit,
    );
    return rows.toArray().map(sequencedIn);
  }

  /** The operations that moved money from `fromMs` until before `toMs`, by time, at most `limit`. */
  movementsBetween(
    fromMs: number,
    toMs: number,
    after: MovementPosition | null,
    limit: number,
  ): SequencedOperation[] {
    return this.#between('moved_minor <> 0', fromMs, toMs, after, limit);
  }

  /** The inquiries that were opened from `fromMs` until before `toMs`, by time, at most `limit`. */
  inquiriesBetween(
    fromMs: number,
    toMs: number,
    after: MovementPosition | null,
    limit: number,
  ): SequencedOperation[] {
    return this.#between("kind = 'inquiry'", fromMs, toMs, after, limit);
  }

  /** Records that a key's answer is lost; returns true only the first time. */
  firstLoss(idempotencyKey: string): boolean {
    return (
      this.#sql
        .exec(
          'INSERT INTO lost_answers VALUES (?) ON CONFLICT DO NOTHING RETURNING idempotency_key',
          idempotencyKey,
        )
        .toArray().length === 1
    );
  }

  /** Counts a request for a card as one too many, unless `most` were counted; returns whether it was. */
  countRefusal(token: string, most: number): boolean {
    return (
      this.#sql
        .exec(
          `INSERT INTO refused_requests VALUES (?, 1)
           ON CONFLICT (token) DO UPDATE SET refused = refused + 1 WHERE refused < ? RETURNING refused`,
          token,
          most,
        )
        .toArray().length === 1
    );
  }

  /** A card as the subject of a charge or an authorization; null if the vault does not have it. */
  card(token: string): Subject | null {
    const row = this.#sql
      .exec(
        `SELECT card, (SELECT count(*) FROM operations WHERE subject = token AND status = 'declined') AS declines
         FROM cards WHERE token = ?`,
        token,
      )
      .toArray()[0];
    if (row === undefined) return null;
    return {
      ...subjectOf(cardIn(row)),
      declinesBefore: Number(row['declines']),
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
    const card = subject?.vaultToken ? this.#card(subject.vaultToken) : null;
    if (!payment || !fits || card === null) return null;
    return {
      ...subjectOf(card),
      declinesBefore: 0,
      remainingMinor: kind === 'refund' ? refundableMinor(payment) : heldMinor(payment),
      currency: subject.currency,
      disputed: isDisputed(payment),
    };
  }

  #between(
    condition: 'moved_minor <> 0' | "kind = 'inquiry'",
    fromMs: number,
    toMs: number,
    after: MovementPosition | null,
    limit: number,
  ): SequencedOperation[] {
    const rows = this.#sql.exec(
      `SELECT sequence, operation FROM operations
       WHERE at_ms >= ? AND at_ms < ? AND (at_ms, sequence) > (?, ?) AND ${condition}
       ORDER BY at_ms, sequence LIMIT ?`,
      Math.max(fromMs, after?.atMs ?? fromMs),
      toMs,
      after?.atMs ?? fromMs,
      after?.sequence ?? 0,
      limit,
    );
    return rows.toArray().map(sequencedIn);
  }

  #card(token: string): VaultedCard | null {
    const row = this.#sql.exec('SELECT card FROM cards WHERE token = ?', token).toArray()[0];
    return row ? cardIn(row) : null;
  }

  #one(query: string, key: string): AcquirerOperation | null {
    const row = this.#sql.exec(query, key).toArray()[0];
    return row ? operationIn(row) : null;
  }
}

type Row = Record<string, SqlStorageValue>;

function operationIn(row: Row): AcquirerOperation {
  return JSON.parse(row['operation'] as string) as AcquirerOperation;
}

function sequencedIn(row: Row): SequencedOperation {
  return { ...operationIn(row), sequence: Number(row['sequence']) };
}

function cardIn(row: Row): VaultedCard {
  return JSON.parse(row['card'] as string) as VaultedCard;
}

function subjectOf(
  card: VaultedCard,
): Pick<Subject, 'vaultToken' | 'behaviour' | 'expiresAtMs' | 'holdLifeMs'> {
  const { token, behaviour, expiryMonth, expiryYear, holdLifeMs = LONGEST_HOLD_MS } = card;
  // Months count from 0 here, so this is the start of the next month.
  const expiresAtMs = Date.UTC(expiryYear, expiryMonth, 1);
  return { vaultToken: token, behaviour, expiresAtMs, holdLifeMs };
}
