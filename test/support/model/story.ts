import { expect } from 'vitest';
import { readBalance } from '../../../src/money/balance/readBalance.ts';
import { listTransactions } from '../../../src/money/folio/list.ts';
import { Database } from '../../../src/platform/db/database.ts';
import { Trace } from '../../../src/platform/trace.ts';
import { testEnv } from '../api.ts';
import { effectOf, heldMinor, opensDispute, paymentThere, refsThere } from './acquirer.ts';
import { balanceOf } from './balance.ts';
import { dropClock, setClock } from './clock.ts';
import {
  answerOf,
  canonical,
  type Facts,
  factsOfModel,
  factsOfRows,
  linesOfLedger,
  linesOfModel,
  minorOf,
  type Names,
} from './compare.ts';
import { nextDueAtMs } from './due.ts';
import { nameOf } from './names.ts';
import { keySpace, type Operation } from './operation.ts';
import { brokenBooks, brokenPromises, trailOf } from './oracle.ts';
import { type Ordered, orders } from './orders.ts';
import { perform } from './perform.ts';
import { restored } from './restored.ts';
import { momentOf } from './restores.ts';
import { type AuditRow, idsOf, type Rows, readAudit, readRows } from './rows.ts';
import { type Place, type Sent, send } from './service.ts';
import type { Answer, BookingModel, Refund, Terms } from './state.ts';
import type { Session, Step } from './steps.ts';
import { deskNames, readLedger } from './theirs.ts';

/** The ledger is read after every so many commands, and at the end of a story. */
const LEDGER_EVERY = 12;

/** How long an unknown outcome lasts at most: until its key has no effect, and it was absent twice. */
const UNKNOWN_FOR_MS = 26 * 3_600_000;

/** What is known by then can begin something else once more. */
const LAST_PASSES = 5;

/** Over an outage of days, each of a story's schedules, holds and lost answers is tried about hourly. */
const MOST_ALARMS = 5_000;

const WAKE: Operation = { do: 'wake' };

const NO_ROWS: Rows = {
  booking: { status: '', card_token: null },
  payments: [],
  refunds: [],
  disputes: [],
  recoveries: [],
  unasked: [],
  totals: [],
  messages: [],
};

/** One booking's story: what is done to the service is done to the model, and the two are held against each other. */
export class Story {
  readonly #place: Place;
  readonly propertyId: string;
  #rows: Rows = NO_ROWS;
  #names: Names = new Map();
  #commands = 0;

  constructor(place: Place) {
    this.#place = place;
    this.propertyId = place.propertyId;
  }

  /** Does the steps of one command, and compares. */
  async tell(session: Session, steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#take(session, step);
    this.#commands += 1;
    if (this.#commands % LEDGER_EVERY === 0) await this.#compareLedger(session);
  }

  /**
   * Lets time pass until every outcome is known, tells the service the rest unless that is left to the reconciliation of
   * all, and holds everything against the oracle.
   */
  async end(session: Session, told: boolean): Promise<void> {
    await this.#do(session, { do: 'outage', outage: null });
    await this.#do(session, { do: 'cancel schedules', key: null });
    for (let pass = 0; pass < LAST_PASSES && (pass === 0 || this.#open() > 0); pass += 1) {
      await this.#pass(session, session.model.nowMs + UNKNOWN_FOR_MS, false);
    }
    // What was declined meanwhile waits for its next attempt: the next story's settings are none of its concern.
    await this.#do(session, { do: 'cancel schedules', key: null });
    expect(this.#open(), 'still Processing').toBe(0);
    if (told) await this.#reconcile(session);
    else await this.#tellUnmoved(session);
    await this.#compareLedger(session);
    await this.#compareTrails(session);
    this.#tick(session);
  }

  /** Comparing movements tells nothing of an inquiry that came to an end, nor of a hold: nothing moved. */
  async #tellUnmoved(session: Session): Promise<void> {
    const { model } = session;
    const unmoved = newsFor(model).filter((it) =>
      it.do === 'tell dispute'
        ? isEndedInquiry(model, it.dispute)
        : it.do === 'tell' && heldMinor(paymentThere(model, it.ref)) > 0,
    );
    for (const operation of unmoved) await this.#do(session, operation);
  }

  /**
   * Holds the story against all that the acquirer moved, which the service has learnt by comparing the movements. `terms`
   * are those that its property had by then.
   */
  async close(session: Session, terms: Terms): Promise<void> {
    session.model = { ...session.model, terms };
    for (const operation of newsFor(session.model)) {
      session.model = perform(session.model, operation).model;
    }
    expect(session.model.untold, 'still untold').toEqual([]);
    await this.#read();
    // What was learnt last was learnt in an order of its own.
    const [seen, right] = [this.#facts(), factsOfModel(session.model)];
    expect(sorted(seen), this.#place.reference).toEqual(sorted(right));
    await this.#compareLedger(session);
    await this.#compareTrails(session);
    dropClock(this.#place.propertyId, this.#place.reference);
  }

  /** How much is under way. */
  #open(): number {
    const { payments, refunds } = this.#rows;
    return [...payments, ...refunds].filter(({ status }) => status === 'Processing').length;
  }

  #take(session: Session, step: Step): Promise<void> {
    switch (step.step) {
      case 'do':
        return this.#do(session, step.operation);
      case 'race':
        return this.#race(session, step.both, step.lag);
      case 'pass':
        return this.#pass(session, step.untilMs, step.early);
      case 'stall':
        this.#setTime(session, step.untilMs);
        return Promise.resolve();
      case 'restored':
        return this.#restore(session, step.steps);
      case 'list':
        return this.#list(session);
      case 'reconcile':
        return this.#reconcile(session);
    }
  }

  /** What D1 learns in these steps is lost again. */
  async #restore(session: Session, steps: readonly Step[]): Promise<void> {
    const then = session.model;
    const back = await momentOf(this.#place);
    for (const step of steps) await this.#take(session, step);
    await back();
    session.model = restored(then, session.model);
    await this.#compare(session);
  }

  /** Everything that the acquirer knows is told. */
  async #reconcile(session: Session): Promise<void> {
    const ids = idsOf(this.#rows);
    const answers: [Sent, Answer][] = [];
    for (const operation of newsFor(session.model)) {
      this.#tick(session);
      const { model, answer } = perform(session.model, operation);
      session.model = model;
      answers.push([await send(this.#place, ids, operation, model.nowMs), answer]);
    }
    await this.#compare(session);
    expect(answers.map(([sent]) => answerOf(sent, this.#rows))).toEqual(
      answers.map(([, right]) => right),
    );
    await this.#compareLedger(session);
  }

  async #do(session: Session, operation: Operation): Promise<void> {
    note(session, operation);
    if (isNews(operation) || isNew(operation)) this.#tick(session);
    const { model, answer } = perform(session.model, operation);
    const reply = await send(this.#place, idsOf(this.#rows), operation, model.nowMs);
    session.model = model;
    await this.#compare(session);
    const [seen, right] = [answerOf(reply, this.#rows), answer];
    if (canonical(seen) !== canonical(right)) expect(seen).toEqual(right);
  }

  /** The object serves what is due; it is not compared yet. */
  async #wake(session: Session): Promise<void> {
    session.model = perform(session.model, WAKE).model;
    await send(this.#place, idsOf(this.#rows), WAKE, session.model.nowMs);
  }

  async #compare({ model }: Session): Promise<void> {
    await this.#read();
    const [seen, right] = [this.#facts(), factsOfModel(model)];
    if (canonical(seen) !== canonical(right)) expect(seen).toEqual(right);
  }

  async #race(session: Session, both: readonly [Operation, Operation], lag: number): Promise<void> {
    for (const operation of both) note(session, operation);
    if (both.some(isNews)) this.#tick(session);
    const possible = orders(session.model, ...both);
    const ids = idsOf(this.#rows);
    const [first, second] = await Promise.all([
      send(this.#place, ids, both[0], session.model.nowMs),
      scheduler.wait(lag).then(() => send(this.#place, ids, both[1], session.model.nowMs)),
    ]);
    await this.#read();
    const answers = [answerOf(first, this.#rows), answerOf(second, this.#rows)];
    const seen = { answers, facts: this.#facts() };
    const alike = possible.filter((candidate) => canonical(told(candidate)) === canonical(seen));
    const order = await this.#whichOf(alike);
    if (!order) expect([seen], 'no order leads to this').toEqual(possible.map(told));
    else session.model = order.model;
  }

  /** Orders may look alike, and differ in what is under way or due next, or in the way there: D1 tells which it was. */
  async #whichOf(alike: readonly Ordered[]): Promise<Ordered | undefined> {
    const fitting = alike.filter(({ model }) => isAsIn(model, this.#rows));
    const ways = new Set(fitting.map(({ model }) => canonical(trailsIn(model))));
    if (ways.size < 2) return fitting[0] ?? alike[0];
    const audit = await readAudit(this.#place);
    const seen = (model: BookingModel) => canonical(this.#trails(model, audit));
    return fitting.find(({ model }) => seen(model) === canonical(trailsIn(model))) ?? fitting[0];
  }

  /** Lets time pass, with every alarm in time. */
  async #pass(session: Session, untilMs: number, early: boolean): Promise<void> {
    let alarms = 0;
    for (;;) {
      const dueAtMs = nextDueAtMs(session.model);
      if (dueAtMs === null || dueAtMs > untilMs) break;
      if (early && alarms === 0) {
        this.#setTime(session, dueAtMs - 1);
        await this.#wake(session);
      }
      this.#setTime(session, dueAtMs);
      await this.#wake(session);
      alarms += 1;
      if (alarms > MOST_ALARMS) throw new Error('alarms without end');
    }
    if (alarms > 0) await this.#compare(session);
    this.#setTime(session, untilMs);
  }

  /**
   * Of one record, no two pieces of news come within a millisecond: each takes the service several round trips. Nor are two
   * charges or refunds asked for in one: their ids would have no order where an object began again between them.
   */
  #tick(session: Session): void {
    this.#setTime(session, session.model.nowMs + 1);
  }

  /** The clock only goes forward. */
  #setTime({ model }: Session, atMs: number): void {
    model.nowMs = Math.max(model.nowMs, atMs);
    setClock(this.#place.propertyId, this.#place.reference, model.nowMs);
  }

  async #list({ model }: Session): Promise<void> {
    const { propertyId, reference } = this.#place;
    const database = new Database(testEnv.DB, new Trace());
    const balance = await readBalance(database, this.#place, null);
    expect(balance.ok && balance.value).toMatchObject(balanceOf(model));
    const listed = await listTransactions(database, propertyId, reference);
    const seen = listed.ok
      ? listed.value.map((view) => ({
          ref: nameOf(view.reference),
          status: view.status,
          amountMinor: minorOf(view.amount),
          attempts: view.attempts,
          refunds: view.refunds.map(({ amount, status }) => ({
            amountMinor: minorOf(amount),
            status,
          })),
        }))
      : listed.error;
    expect(seen).toEqual(
      model.payments.map(({ ref, kind, status, amountMinor, attempts }) => ({
        ref,
        status,
        amountMinor,
        attempts: kind === 'schedule' ? attempts : undefined,
        refunds: model.refunds
          .filter(({ charge }) => charge === ref)
          .map(({ amountMinor, status }) => ({ amountMinor, status })),
      })),
    );
  }

  /** Reads D1, and holds the journal and the messages against the rows. */
  async #read(): Promise<void> {
    this.#rows = await readRows(this.#place);
    const fromDesk = [
      ...this.#rows.refunds
        .filter(({ origin }) => origin === 'gateway')
        .map(({ gateway_reference: id }) => id ?? ''),
      ...this.#rows.disputes.map(({ id }) => id),
    ];
    if (!fromDesk.every((id) => this.#names.has(id))) {
      this.#names = deskNames(await readLedger(this.#place));
    }
    const broken = brokenBooks(this.#rows);
    if (broken.length > 0) throw new Error(broken.join('\n'));
  }

  #facts(): Facts {
    return factsOfRows(this.#rows, this.#names);
  }

  async #compareLedger({ model }: Session): Promise<void> {
    const ledger = await readLedger(this.#place);
    const isAhead = (ref: string) =>
      model.untold.some((name) => name === ref || name.startsWith(`${ref} `));
    const broken = brokenPromises(this.#rows, ledger, isAhead);
    if (broken.length > 0) throw new Error(broken.join('\n'));
    const [seen, right] = [linesOfLedger(ledger, this.#rows), linesOfModel(model)];
    if (seen.join() !== right.join()) expect(seen).toEqual(right);
  }

  async #compareTrails({ model }: Session): Promise<void> {
    const audit = await readAudit(this.#place);
    const seen = this.#trails(model, audit);
    expect(seen).toEqual(trailsIn(model));
    expect(trailOf('booking', audit).at(-1)).toBe(model.status);
    const told = audit.filter(({ subject }) => /^(charge|refund) /.test(subject)).length;
    expect(told, 'audit entries of something else').toBe(seen.flat().length);
  }

  /** What the audit trail shows of everything that the model has. */
  #trails(model: BookingModel, audit: readonly AuditRow[]): string[][] {
    const ids = idsOf(this.#rows);
    return [
      ...model.payments.map(({ ref }) => trailOf(`charge ${ids.payment(ref)}`, audit)),
      ...model.refunds.map((it) => trailOf(`refund ${this.#refundId(it)}`, audit)),
      ...model.disputes.map(({ charge, id }) =>
        trailOf(`charge ${ids.payment(charge)} dispute ${this.#theirId(id)}`, audit),
      ),
    ];
  }

  #refundId({ command, origin, part }: Refund): number {
    if (origin === 'service') return idsOf(this.#rows).refund(command, part);
    const id = this.#theirId(command);
    return this.#rows.refunds.find((row) => row.gateway_reference === id)?.id ?? 0;
  }

  /** The acquirer's id of what its desk made. */
  #theirId(name: string): string {
    for (const [id, known] of this.#names) if (known === name) return id;
    return 'none';
  }
}

function isNews(operation: Operation): boolean {
  return operation.do === 'tell' || operation.do === 'tell dispute';
}

/** Whether it asks for money that is not on its way yet. */
function isNew(operation: Operation): boolean {
  return operation.do === 'pay' || operation.do === 'refund';
}

function isEndedInquiry(model: BookingModel, id: string): boolean {
  const opened = effectOf(model, id);
  return opened?.kind === 'inquiry' && opened.ended !== undefined;
}

/** All that the acquirer can tell of a booking. */
function newsFor(model: BookingModel): Operation[] {
  const charges = refsThere(model).map((ref): Operation => ({ do: 'tell', ref }));
  const disputes = model.effects
    .filter(opensDispute)
    .map(({ id, payment: ref }): Operation => ({ do: 'tell dispute', dispute: id, ref }));
  return [...charges, ...disputes];
}

function sorted({ payments, refunds, ...facts }: Facts): Facts {
  return { ...facts, payments: payments.toSorted(), refunds: refunds.toSorted() };
}

/** The ways that everything went, as the model has them. */
function trailsIn({ disputes, payments, refunds }: BookingModel): string[][] {
  return [...payments, ...refunds, ...disputes].map(({ trail }) => trail);
}

/** Whether what nobody is shown is as D1 has it: what is under way, when it was sent, and when something is due. */
function isAsIn({ payments, recoveries, refunds }: BookingModel, rows: Rows): boolean {
  const refs = new Map(rows.payments.map(({ id, reference }) => [id, reference]));
  const areRecovered = rows.recoveries.every((row) => {
    const recovery = recoveries.find(({ charge }) => charge === refs.get(row.transaction_id));
    return recovery?.dueAtMs === row.due_at_ms && recovery.answerCard === row.answer_card;
  });
  const ids = idsOf(rows);
  const areSent = refunds
    .filter(({ status }) => status === 'Processing')
    .every(({ command, dueAtMs, part, sentAtMs }) => {
      const row = rows.refunds.find(({ id }) => id === ids.refund(command, part));
      return row?.due_at_ms === dueAtMs && row.sent_at_ms === sentAtMs;
    });
  return (
    areRecovered &&
    areSent &&
    rows.payments.every((row) => {
      const payment = payments.find(({ ref }) => ref === row.reference);
      const underWay = payment?.underWay ?? null;
      return (
        payment?.dueAtMs === row.due_at_ms &&
        (underWay?.operation ?? null) === row.pending_operation &&
        (underWay?.sentAtMs ?? null) === row.sent_at_ms
      );
    })
  );
}

/** What is to be seen if the two went in this order. */
function told({ model, answers }: Ordered) {
  return { answers, facts: factsOfModel(model) };
}

/** Remembers requests under a key, so that they can be sent again. */
function note(session: Session, operation: Operation): void {
  if (!('key' in operation) || operation.key === null) return;
  const name = `${keySpace(operation)} ${operation.key}`;
  const known = session.keyed.some((it) => `${keySpace(it)} ${it.key}` === name);
  if (!known) session.keyed.push(operation);
}
