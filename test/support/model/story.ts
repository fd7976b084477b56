import { expect } from 'vitest';
import { sandboxAcquirer } from '../../../src/gateways/sandbox/gateway.ts';
import { listTransactions } from '../../../src/money/folio/list.ts';
import { Database } from '../../../src/platform/db/database.ts';
import { Trace } from '../../../src/platform/trace.ts';
import { testEnv } from '../api.ts';
import { dropClock, setClock } from './clock.ts';
import {
  answerOf,
  canonical,
  factsOfModel,
  factsOfRows,
  linesOfLedger,
  linesOfModel,
  minorOf,
} from './compare.ts';
import { nextDueAtMs } from './due.ts';
import { keySpace, type Operation } from './operation.ts';
import { brokenPromises, trailOf } from './oracle.ts';
import { type Ordered, orders } from './orders.ts';
import { perform } from './perform.ts';
import { idsOf, type Rows, readAudit, readRows } from './rows.ts';
import { type Place, send } from './service.ts';
import type { BookingModel } from './state.ts';
import type { Session, Step } from './steps.ts';

/** The ledger is read after every so many commands, and at the end of a story. */
const LEDGER_EVERY = 12;

/** More than an object's alarm deals with at once would need a second alarm. */
const MOST_ALARMS = 400;

const WAKE: Operation = { do: 'wake' };

/** One booking's story: what is done to the service is done to the model, and the two are held against each other. */
export class Story {
  readonly #place: Place;
  #rows: Rows = { booking: { status: '', card_token: null }, payments: [], refunds: [] };
  #commands = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Does the steps of one command, and compares. */
  async tell(session: Session, steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#take(session, step);
    this.#commands += 1;
    if (this.#commands % LEDGER_EVERY === 0) await this.#compareLedger(session);
  }

  /** Lets time pass until every unknown outcome could be found out, and holds everything against the oracle. */
  async end(session: Session): Promise<void> {
    await this.#pass(session, session.model.nowMs + 15 * 60_000, false);
    await this.#compareLedger(session);
    await this.#compareTrails(session);
    const open = [...this.#rows.payments, ...this.#rows.refunds].filter(
      ({ status }) => status === 'Processing',
    );
    const lostForGood = stuck(session);
    expect(open.length, 'still Processing').toBe(lostForGood.length);
    for (const operation of lostForGood) await this.#do(session, operation);
    const left = [...this.#rows.payments, ...this.#rows.refunds].filter(
      ({ status }) => status === 'Processing',
    );
    expect(left, 'still Processing').toEqual([]);
    dropClock(this.#place.propertyId, this.#place.reference);
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
      case 'list':
        return this.#list(session);
    }
  }

  async #do(session: Session, operation: Operation): Promise<void> {
    note(session, operation);
    const { model, answer } = perform(session.model, operation);
    const reply = await send(this.#place, idsOf(this.#rows), operation);
    session.model = model;
    await this.#compare(session);
    const [seen, right] = [answerOf(reply, this.#rows), answer];
    if (canonical(seen) !== canonical(right)) expect(seen).toEqual(right);
  }

  /** The object serves what is due; it is not compared yet. */
  async #wake(session: Session): Promise<void> {
    session.model = perform(session.model, WAKE).model;
    await send(this.#place, idsOf(this.#rows), WAKE);
  }

  async #compare({ model }: Session): Promise<void> {
    await this.#read();
    const [seen, right] = [factsOfRows(this.#rows), factsOfModel(model)];
    if (canonical(seen) !== canonical(right)) expect(seen).toEqual(right);
  }

  async #race(session: Session, both: readonly [Operation, Operation], lag: number): Promise<void> {
    for (const operation of both) note(session, operation);
    const possible = orders(session.model, ...both);
    const ids = idsOf(this.#rows);
    const [first, second] = await Promise.all([
      send(this.#place, ids, both[0]),
      scheduler.wait(lag).then(() => send(this.#place, ids, both[1])),
    ]);
    await this.#read();
    const answers = [answerOf(first, this.#rows), answerOf(second, this.#rows)];
    const seen = { answers, facts: factsOfRows(this.#rows) };
    const alike = possible.filter((candidate) => canonical(told(candidate)) === canonical(seen));
    // Two orders may look alike, and differ in what is under way or due next: D1 tells which it was.
    const order = alike.find(({ model }) => isAsIn(model, this.#rows)) ?? alike[0];
    if (!order) expect([seen], 'no order leads to this').toEqual(possible.map(told));
    else session.model = order.model;
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

  /** The clock only goes forward. */
  #setTime({ model }: Session, atMs: number): void {
    model.nowMs = Math.max(model.nowMs, atMs);
    setClock(this.#place.propertyId, this.#place.reference, model.nowMs);
  }

  async #list({ model }: Session): Promise<void> {
    const { propertyId, reference } = this.#place;
    const database = new Database(testEnv.DB, new Trace());
    const listed = await listTransactions(database, propertyId, reference);
    const seen = listed.ok
      ? listed.value.map((view) => ({
          ref: view.reference,
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

  async #read(): Promise<void> {
    this.#rows = await readRows(this.#place);
  }

  async #compareLedger({ model }: Session): Promise<void> {
    const all = await sandboxAcquirer(testEnv).ledger(this.#place.reference);
    const ledger = all.filter(({ property }) => property === this.#place.propertyId);
    const broken = brokenPromises(this.#rows, ledger);
    if (broken.length > 0) throw new Error(broken.join('\n'));
    const [seen, right] = [linesOfLedger(ledger, this.#rows), linesOfModel(model)];
    if (seen.join() !== right.join()) expect(seen).toEqual(right);
  }

  async #compareTrails({ model }: Session): Promise<void> {
    const audit = await readAudit(this.#place);
    const ids = idsOf(this.#rows);
    const seen = [
      ...model.payments.map(({ ref }) => trailOf(`charge ${ids.payment(ref)}`, audit)),
      ...model.refunds.map((it) => trailOf(`refund ${ids.refund(it.command, it.part)}`, audit)),
    ];
    expect(seen).toEqual([...model.payments, ...model.refunds].map(({ trail }) => trail));
    expect(trailOf('booking', audit).at(-1)).toBe(model.status);
    const told = audit.filter(({ subject }) => /^(charge|refund) /.test(subject)).length;
    expect(told, 'audit entries of something else').toBe(seen.flat().length);
  }
}

/** Whether what nobody is shown is as D1 has it: what is under way, and when something is due. */
function isAsIn({ payments }: BookingModel, rows: Rows): boolean {
  return rows.payments.every(({ reference, due_at_ms: dueAtMs, pending_operation: pending }) => {
    const payment = payments.find(({ ref }) => ref === reference);
    return payment?.dueAtMs === dueAtMs && (payment.underWay?.operation ?? null) === pending;
  });
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

/** Operations that never reached the acquirer and whose key is too old by now: an administrator closes them. */
function stuck({ model }: Session): Operation[] {
  return [
    ...model.payments
      .filter(({ status }) => status === 'Processing')
      .map(({ ref }) => ({ do: 'resolve by hand' as const, ref })),
    ...model.refunds
      .filter(({ status }) => status === 'Processing')
      .map(({ command, part }) => ({ do: 'resolve refund by hand' as const, command, part })),
  ];
}
