/**
 * Every place where this service leaves its own memory, by name. The part before the dot says what is
 * crossed. Tests inject faults at each of them by walking this list, so a new crossing cannot be
 * made without standing here.
 */
export const boundaries = [
  'd1.answer.find',
  'd1.answer.keep',
  'd1.application.read',
  'd1.application.save',
  'd1.audit.read',
  'd1.booking.load',
  'd1.booking.read',
  'd1.booking.save',
  'd1.card.attach',
  'd1.card.find',
  'd1.card.save',
  'd1.cardEntry.count',
  'd1.cardRequest.read',
  'd1.cardRequest.save',
  'd1.client.find',
  'd1.client.save',
  'd1.disbursement.read',
  'd1.disbursement.save',
  'd1.dispute.save',
  'd1.due.read',
  'd1.export.checkpoint',
  'd1.export.expired',
  'd1.export.find',
  'd1.export.page',
  'd1.export.publish',
  'd1.export.start',
  'd1.exportUser.find',
  'd1.exportUser.save',
  'd1.health',
  'd1.inventory.read',
  'd1.inventory.save',
  'd1.mail.read',
  'd1.mail.save',
  'd1.ops.read',
  'd1.ops.signOut',
  'd1.outbox.change',
  'd1.outbox.read',
  'd1.outbox.settle',
  'd1.place.read',
  'd1.pms.find',
  'd1.property.find',
  'd1.property.save',
  'd1.refund.intend',
  'd1.refund.postpone',
  'd1.refund.read',
  'd1.refund.settle',
  'd1.rooms.read',
  'd1.rooms.save',
  'd1.schedule.cancel',
  'd1.sweep.read',
  'd1.transaction.begin',
  'd1.transaction.intend',
  'd1.transaction.postpone',
  'd1.transaction.read',
  'd1.transaction.settle',
  'd1.transactions.read',
  'gateway.authorize',
  'gateway.capture',
  'gateway.charge',
  'gateway.dispute',
  'gateway.lookUp',
  'gateway.payouts',
  'gateway.refund',
  'gateway.release',
  'gateway.tokenize',
  'mail.send',
  'object.booking',
  'object.dispatcher',
  'object.export',
  'object.sandbox',
  'pms.send',
  'r2.complete',
  'r2.create',
  'r2.delete',
  'r2.part',
  'r2.put',
  'r2.read',
  'storage.alarm',
  'storage.breaker',
  'storage.checkpoint',
] as const;

export type Boundary = (typeof boundaries)[number];

/** What is crossed: the prefix of a boundary's name. */
export type BoundaryKind = 'd1' | 'gateway' | 'mail' | 'object' | 'pms' | 'r2' | 'storage';

/** How often each kind of boundary was crossed and how long that took, in milliseconds. */
export type Cost = Readonly<Record<BoundaryKind, { readonly calls: number; readonly ms: number }>>;

const NOTHING = { calls: 0, ms: 0 };

/** The account of what has crossed nothing yet. */
const NOTHING_SPENT: Cost = {
  d1: NOTHING,
  gateway: NOTHING,
  mail: NOTHING,
  object: NOTHING,
  pms: NOTHING,
  r2: NOTHING,
  storage: NOTHING,
};

/**
 * Carries one request's I/O across its boundaries and keeps count. It is made anew for each request,
 * call or alarm; what a Durable Object spent is added to the caller's account.
 */
export class Crossings {
  #spent = NOTHING_SPENT;

  /** Does one piece of I/O, counted and timed whether it succeeds or throws. */
  async cross<T>(boundary: Boundary, io: () => Promise<T>): Promise<T> {
    const startedMs = Date.now();
    try {
      return await io();
    } finally {
      this.#add(kindOf(boundary), { calls: 1, ms: Date.now() - startedMs });
    }
  }

  /** Takes over what a called object spent on this request's behalf. */
  add(cost: Cost): void {
    for (const kind of Object.keys(cost) as BoundaryKind[]) this.#add(kind, cost[kind]);
  }

  /** The account so far, as plain data that nothing changes any more. */
  cost(): Cost {
    return this.#spent;
  }

  #add(kind: BoundaryKind, { calls, ms }: Cost[BoundaryKind]): void {
    if (calls === 0) return;
    const before = this.#spent[kind];
    this.#spent = {
      ...this.#spent,
      [kind]: { calls: before.calls + calls, ms: before.ms + ms },
    };
  }
}

function kindOf(boundary: Boundary): BoundaryKind {
  return boundary.slice(0, boundary.indexOf('.')) as BoundaryKind;
}
