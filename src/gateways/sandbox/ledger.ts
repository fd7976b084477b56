import type { OperationKind } from '../gateway.ts';
import type { Judgement, Subject } from './judge.ts';
import type { CardBehaviour } from './testCards.ts';

/** A card in the vault, without its number. */
export interface VaultedCard {
  readonly token: string;
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly behaviour: CardBehaviour;
}

/** A recorded operation; each idempotency key has one. */
export interface AcquirerOperation extends Judgement {
  readonly kind: OperationKind;
  readonly idempotencyKey: string;
  readonly propertyId: string;
  readonly bookingReference: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly subject: string;
  readonly vaultToken: string | null;
  readonly gatewayReference: string;
  readonly atMs: number;
}

/** A ledger line for administrators. */
export interface LedgerEntry {
  readonly kind: OperationKind;
  readonly idempotencyKey: string;
  readonly property: string;
  readonly bookingReference: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: Judgement['status'];
  readonly atMs: number;
}

/** A movement of money; `sequence` gives the order. */
export interface LedgerMovement {
  readonly sequence: number;
  readonly kind: 'charge' | 'capture' | 'refund';
  readonly idempotencyKey: string;
  readonly propertyId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly gatewayReference: string;
  readonly atMs: number;
}

/** The sandbox acquirer's storage. */
export class AcquirerLedger {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS cards (token TEXT PRIMARY KEY, card TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS lost_answers (idempotency_key TEXT PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS operations (
        sequence INTEGER PRIMARY KEY, idempotency_key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
        status TEXT NOT NULL, booking_reference TEXT NOT NULL, subject TEXT NOT NULL, vault_token TEXT,
        gateway_reference TEXT NOT NULL UNIQUE, amount_minor INTEGER NOT NULL, operation TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS operations_by_booking ON operations (booking_reference);
      -- Older storages still have this index, which is replaced by the next one.
      DROP INDEX IF EXISTS operations_by_subject;
      CREATE INDEX IF NOT EXISTS operations_by_subject_and_status ON operations (subject, status);
    `);
  }

  keepCard(card: VaultedCard): void {
    this.#sql.exec('INSERT INTO cards VALUES (?, ?)', card.token, JSON.stringify(card));
  }

  record(operation: AcquirerOperation): void {
    this.#sql.exec(
      `INSERT INTO operations (idempotency_key, kind, status, booking_reference, subject, vault_token,
        gateway_reference, amount_minor, operation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      operation.idempotencyKey,
      operation.kind,
      operation.status,
      operation.bookingReference,
      operation.subject,
      operation.vaultToken,
      operation.gatewayReference,
      operation.amountMinor,
      JSON.stringify(operation),
    );
  }

  find(idempotencyKey: string): AcquirerOperation | null {
    return this.#one('SELECT operation FROM operations WHERE idempotency_key = ?', idempotencyKey);
  }

  entries(bookingReference: string | null): LedgerEntry[] {
    const rows =
      bookingReference === null
        ? this.#sql.exec('SELECT operation FROM operations ORDER BY sequence')
        : this.#sql.exec(
            'SELECT operation FROM operations WHERE booking_reference = ? ORDER BY sequence',
            bookingReference,
          );
    return rows.toArray().map((row) => {
      const operation = JSON.parse(row['operation'] as string) as AcquirerOperation;
      const { kind, idempotencyKey, propertyId, amountMinor, currency, status, atMs } = operation;
      return {
        kind,
        idempotencyKey,
        property: propertyId,
        bookingReference: operation.bookingReference,
        amountMinor,
        currency,
        status,
        atMs,
      };
    });
  }

  /** The movements of money after a sequence number, oldest first, at most `limit`. */
  movements(afterSequence: number, limit: number): LedgerMovement[] {
    const rows = this.#sql.exec(
      `SELECT sequence, operation FROM operations
       WHERE sequence > ? AND status = 'succeeded' AND kind IN ('charge', 'capture', 'refund')
       ORDER BY sequence LIMIT ?`,
      afterSequence,
      limit,
    );
    return rows.toArray().map(({ sequence, operation }) => {
      const recorded = JSON.parse(operation as string) as AcquirerOperation;
      const { idempotencyKey, propertyId, amountMinor, currency, gatewayReference, atMs } =
        recorded;
      const kind = recorded.kind as LedgerMovement['kind'];
      const named = { idempotencyKey, propertyId, gatewayReference };
      return { sequence: Number(sequence), kind, ...named, amountMinor, currency, atMs };
    });
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
      vaultToken: token,
      behaviour: cardIn(row).behaviour,
      declinesBefore: Number(row['declines']),
      remainingMinor: null,
      currency: null,
    };
  }

  /**
   * An earlier operation as the subject of a capture, release or refund, with the amount it has left. One capture or
   * release uses up an authorization; refunds use up a charge or capture.
   */
  earlier(gatewayReference: string): Subject | null {
    const earlier = this.#one(
      'SELECT operation FROM operations WHERE gateway_reference = ?',
      gatewayReference,
    );
    const card = earlier?.vaultToken ? this.#card(earlier.vaultToken) : null;
    if (earlier === null || card === null || earlier.status !== 'succeeded') return null;
    const used = this.#used(gatewayReference);
    const spentHold = earlier.kind === 'authorization' && used > 0;
    return {
      vaultToken: card.token,
      behaviour: card.behaviour,
      declinesBefore: 0,
      remainingMinor: spentHold ? 0 : earlier.amountMinor - used,
      currency: earlier.currency,
    };
  }

  #card(token: string): VaultedCard | null {
    const row = this.#sql.exec('SELECT card FROM cards WHERE token = ?', token).toArray()[0];
    return row ? cardIn(row) : null;
  }

  #one(query: string, key: string): AcquirerOperation | null {
    const row = this.#sql.exec(query, key).toArray()[0];
    return row ? (JSON.parse(row['operation'] as string) as AcquirerOperation) : null;
  }

  /** The minor units of an operation that were captured, released or refunded. */
  #used(gatewayReference: string): number {
    const { total } = this.#sql
      .exec<{ total: number }>(
        "SELECT coalesce(sum(amount_minor), 0) AS total FROM operations WHERE subject = ? AND status = 'succeeded'",
        gatewayReference,
      )
      .one();
    return total;
  }
}

function cardIn(row: Record<string, SqlStorageValue>): VaultedCard {
  return JSON.parse(row['card'] as string) as VaultedCard;
}
