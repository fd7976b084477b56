import { getTableColumns } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { BookingMemory, type Remembered } from '../operation/work.ts';
import type { BookingState } from '../records/bookings/rules.ts';
import { bookings } from '../schema/bookingTables.ts';
import { cards } from '../schema/cardTables.ts';
import { disputes } from '../schema/disputeTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { paymentPlans } from '../schema/planTables.ts';
import { properties } from '../schema/propertyTables.ts';
import { recoveries } from '../schema/recoveryTables.ts';
import { settlements } from '../schema/settlementTables.ts';

/** The storage key of the memory. Another one when its members change: those of rows are compared with the tables. */
const MEMORY = 'memory-2';

/** The most characters that are stored: a booking with a few payments has a third of it. */
const LONGEST = 32_768;

/**
 * Keeps what a booking's object remembers in its own storage, so that one that has just started need not read D1. It is
 * stored after a batch that changed the booking, so D1 has had that very state. What has come since, and a restore of D1
 * to a time before, show in the history and in the versions that each batch names.
 */
export class KeptMemory {
  readonly #storage: DurableObjectStorage;
  readonly #memory = new BookingMemory();
  #isRead = false;
  #isStored = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** The memory; at the object's start, what was stored of it. */
  async recall(): Promise<BookingMemory> {
    if (this.#isRead) return this.#memory;
    const text = await this.#storage.get<string>(MEMORY);
    this.#isRead = true;
    this.#isStored = text !== undefined;
    const kept = text === undefined ? null : (JSON.parse(text) as Remembered);
    if (kept && isOfSchema(kept)) Object.assign(this.#memory, kept);
    return this.#memory;
  }

  /**
   * Takes the stored memory away, before a batch that writes: the storage lets nothing out until that is done. So after a
   * crash in the middle of an operation, the next alarm finds in D1 what it has to end.
   */
  beforeWrite(): void {
    this.#memory.rows = null;
    this.#memory.due = null;
    this.#drop();
  }

  #drop(): void {
    if (this.#isStored) void this.#storage.delete(MEMORY);
    this.#isStored = false;
  }

  /**
   * Stores the memory if a batch changed the booking; returns the booking then. The caller's answer does not wait: a loss
   * costs a read.
   */
  keep(): BookingState | null {
    if (!this.#memory.isNew) return null;
    this.#memory.isNew = false;
    const { remembered } = this.#memory;
    const { state } = remembered;
    const text = JSON.stringify(remembered);
    if (state === null || text.length > LONGEST) {
      this.#drop();
      return null;
    }
    this.#isStored = true;
    void this.#storage.put(MEMORY, text, { allowUnconfirmed: true });
    return state;
  }
}

/** Whether the rows have the columns of their tables now: a deployment may have changed them. */
function isOfSchema({ due, plan, rows, state }: Remembered): boolean {
  const kinds: [SQLiteTable, readonly object[]][] = [
    [properties, state ? [state.property] : []],
    [bookings, state ? [state.booking] : []],
    [cards, state?.cards ?? []],
    [transactions, [...(rows?.transactions ?? []), ...(due?.transactions ?? [])]],
    [refunds, [...(rows?.refunds ?? []), ...(due?.refunds ?? [])]],
    [disputes, [...(rows?.disputes ?? []), ...(due?.disputes ?? [])]],
    [recoveries, [...(rows?.recoveries ?? []), ...(due?.recoveries ?? [])]],
    [settlements, [...(rows?.settlements ?? []), ...(due?.settlements ?? [])]],
    [paymentPlans, plan ? [plan] : []],
  ];
  return kinds.every(([table, all]) => {
    const columns = Object.keys(getTableColumns(table)).toSorted().join();
    return all.every((row) => Object.keys(row).toSorted().join() === columns);
  });
}
