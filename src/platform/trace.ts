/**
 * The name of every span: one piece of I/O of this service. The part before the dot is its kind. Tests inject faults
 * into every span of this list, and the types allow no other name, so all I/O is tested.
 */
export const spanNames = [
  'd1.answer.find',
  'd1.answer.keep',
  'd1.application.read',
  'd1.application.save',
  'd1.archive.read',
  'd1.archive.save',
  'd1.audit.read',
  'd1.audit.save',
  'd1.balance.read',
  'd1.bankLine.read',
  'd1.bankLine.save',
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
  'd1.client.use',
  'd1.console.read',
  'd1.clock.move',
  'd1.clock.read',
  'd1.disbursement.read',
  'd1.disbursement.save',
  'd1.dispute.apply',
  'd1.dispute.intend',
  'd1.dispute.postpone',
  'd1.dispute.read',
  'd1.dispute.save',
  'd1.due.read',
  'd1.endpoint.read',
  'd1.endpoint.save',
  'd1.event.read',
  'd1.event.deliver',
  'd1.export.checkpoint',
  'd1.export.expired',
  'd1.export.find',
  'd1.export.page',
  'd1.export.publish',
  'd1.export.start',
  'd1.exportUser.find',
  'd1.exportUser.save',
  'd1.guestAct.save',
  'd1.health',
  'd1.history.read',
  'd1.home.find',
  'd1.home.save',
  'd1.inventory.read',
  'd1.inventory.save',
  'd1.keyring.read',
  'd1.keyring.save',
  'd1.ledger.read',
  'd1.ledger.save',
  'd1.mail.read',
  'd1.mail.save',
  'd1.move.copy',
  'd1.move.read',
  'd1.move.save',
  'd1.ops.read',
  'd1.outbox.change',
  'd1.outbox.read',
  'd1.outbox.update',
  'd1.sums.follow',
  'd1.place.read',
  'd1.plan.read',
  'd1.plan.save',
  'd1.pms.find',
  'd1.privacy.erase',
  'd1.privacy.read',
  'd1.property.find',
  'd1.property.save',
  'd1.reconciliation.read',
  'd1.reconciliation.save',
  'd1.recovery.read',
  'd1.recovery.save',
  'd1.refund.intend',
  'd1.refund.postpone',
  'd1.refund.read',
  'd1.refund.apply',
  'd1.rooms.read',
  'd1.rooms.save',
  'd1.schedule.cancel',
  'd1.session.end',
  'd1.session.read',
  'd1.session.save',
  'd1.settlement.intend',
  'd1.settlement.read',
  'd1.settlement.save',
  'd1.signIn.save',
  'd1.staff.read',
  'd1.sweep.read',
  'd1.transaction.begin',
  'd1.transaction.intend',
  'd1.transaction.postpone',
  'd1.transaction.read',
  'd1.transaction.apply',
  'd1.transactions.read',
  'gateway.abandon',
  'd1.user.find',
  'd1.user.save',
  'gateway.acceptance',
  'gateway.authorize',
  'gateway.capture',
  'gateway.card',
  'gateway.charge',
  'gateway.detach',
  'gateway.dispute',
  'gateway.document',
  'gateway.evidence',
  'gateway.lookUp',
  'gateway.movements',
  'gateway.payment',
  'gateway.payouts',
  'gateway.refund',
  'gateway.release',
  'gateway.tokenize',
  'mail.send',
  'object.booking',
  'object.clock',
  'object.dispatcher',
  'object.export',
  'object.mailer',
  'object.mover',
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
  'webhook.send',
] as const;

export type SpanName = (typeof spanNames)[number];

/** The kind of I/O: the prefix of a span's name. */
export type SpanKind = PrefixOf<SpanName>;

type PrefixOf<Name> = Name extends `${infer Kind}.${string}` ? Kind : never;

/** The calls of each kind of span, and their total time in milliseconds. */
export type Cost = Readonly<Record<SpanKind, { readonly calls: number; readonly ms: number }>>;

const NOTHING_SPENT = Object.fromEntries(
  spanNames.map((span) => [kindOf(span), { calls: 0, ms: 0 }]),
) as Cost;

/**
 * Counts and times the I/O of one request. Each request, call of a Durable Object and alarm has its own trace; a
 * Durable Object returns its cost, and the caller adds it.
 */
export class Trace {
  #spent = NOTHING_SPENT;
  /** The writes that were sent, less those that were refused. */
  #writes = 0;

  /** Whether this request recorded something, or may have. Then `busy` would be a wrong answer. */
  get mayBeRecorded(): boolean {
    return this.#writes > 0;
  }

  /** Counts a write before it is sent: from now on it may be recorded, even if its answer is lost. */
  writeSent(): void {
    this.#writes += 1;
  }

  /** Uncounts a write that is certainly not recorded. */
  writeRefused(): void {
    this.#writes -= 1;
  }

  /** Does one piece of I/O. Counts and times it, also when it throws. */
  async span<T>(span: SpanName, io: () => Promise<T>): Promise<T> {
    const startedMs = Date.now();
    try {
      return await io();
    } finally {
      this.#add(kindOf(span), { calls: 1, ms: Date.now() - startedMs });
    }
  }

  /** Adds the cost of a called Durable Object. */
  add(cost: Cost): void {
    for (const kind of Object.keys(cost) as SpanKind[]) this.#add(kind, cost[kind]);
  }

  /** The cost so far, as an immutable value. */
  cost(): Cost {
    return this.#spent;
  }

  #add(kind: SpanKind, { calls, ms }: Cost[SpanKind]): void {
    if (calls === 0) return;
    const before = this.#spent[kind];
    this.#spent = {
      ...this.#spent,
      [kind]: { calls: before.calls + calls, ms: before.ms + ms },
    };
  }
}

function kindOf(span: SpanName): SpanKind {
  return span.slice(0, span.indexOf('.')) as SpanKind;
}
