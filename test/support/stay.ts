/**
 * What a booking with a plan, a cancellation and a virtual card must be, judged apart from the service: of the acquirer's
 * answers it takes what the list of payments says, and works out the rest. Amounts in minor units, without fees.
 */
import type { PlanSpec } from '../../src/schema/planSpec.ts';
import type { AnswerBody, TransactionBody } from './answers.ts';
import { follow, type ModelPart, type ModelPlan, type Stay, stateOf } from './planModel.ts';

/** A stay as it was saved, with all that is known of its money. */
export interface Known {
  readonly stay: Stay;
  /** The last total that was known; 0 for none yet. */
  readonly knownTotal: number;
  readonly nowMs: number;
  readonly zone: string;
  readonly payments: readonly TransactionBody[];
  /** What of each charge is held back for disputes, by its id. */
  readonly withdrawn: ReadonlyMap<number, number>;
  readonly minor: (decimal: number) => number;
}

const isBond = ({ type }: TransactionBody) => type === 'PaymentBond';

function takenOf({ payments }: Known): TransactionBody[] {
  return payments.filter((payment) => payment.status === 'Accepted' && !isBond(payment));
}

/** What is left of a charge after refunds. */
export function leftOf(payment: TransactionBody, { minor }: Pick<Known, 'minor'>): number {
  const back = payment.refunds.filter(({ status }) => status !== 'Failed');
  return Math.max(0, minor(payment.amount) - back.reduce((sum, it) => sum + minor(it.amount), 0));
}

/** What is paid, less what guests dispute. */
export function paidOf(known: Known): number {
  return takenOf(known).reduce(
    (sum, it) => sum + Math.max(0, leftOf(it, known) - (known.withdrawn.get(it.id) ?? 0)),
    0,
  );
}

/** What is due of a stay; 0 where what it costs is not known. */
export function dueOf(known: Known): number {
  return Math.max(0, known.stay.total - paidOf(known));
}

/**
 * What may be charged by itself, by the last total that was known; without end where none ever was. What is disputed is not
 * due to what nobody attends.
 */
export function unattendedOf(known: Known): number {
  const disputed = takenOf(known).reduce(
    (sum, it) => sum + Math.min(leftOf(it, known), known.withdrawn.get(it.id) ?? 0),
    0,
  );
  const { knownTotal } = known;
  if (knownTotal === 0) return Number.MAX_SAFE_INTEGER;
  return Math.max(0, knownTotal - paidOf(known) - disputed);
}

/** What the booking's card does now: whether it pays, and up to how much. */
export interface ChargedCard {
  readonly pays: boolean;
  readonly remaining: number;
}

/** An active plan as it must be. */
export class JudgedPlan {
  readonly #model: ModelPlan;
  /** The payments that there were when its terms were put: none is a charge of its parts. */
  readonly #before: ReadonlySet<number>;
  readonly #own = new Map<string, number>();

  constructor(spec: PlanSpec, known: Known) {
    this.#model = { spec, zone: known.zone, putAt: known.nowMs, parts: [] };
    this.#before = new Set(known.payments.map(({ id }) => id));
    follow(this.#model, known.stay, this.#others(known), known.nowMs, true);
  }

  get parts(): readonly ModelPart[] {
    return this.#model.parts;
  }

  /** The times that something is to happen at after an instant. */
  timesAfter(atMs: number): number[] {
    return this.parts.flatMap(({ due, void: isVoid }) => (isVoid || due <= atMs ? [] : [due]));
  }

  /** Follows a change of the booking, or of its payments. */
  changed(known: Known): void {
    follow(this.#model, known.stay, this.#others(known), known.nowMs);
  }

  /**
   * Takes in what became of the parts while time passed from `before` to `after`, and tells what is wrong with it: a charge
   * of more than the part lacked or than was due, or a part past its time that was neither charged nor ended.
   */
  passed(before: Known, after: Known, card: ChargedCard): string[] {
    const moment: Moment = {
      card,
      after,
      mayTake: Math.min(unattendedOf(before), card.remaining),
    };
    const own = after.payments.filter(
      ({ id, partId }) => partId !== undefined && !this.#before.has(id),
    );
    const charged = own.flatMap((payment) => this.#charged(payment, moment));
    const ended = this.parts.flatMap((part) => endedAt(part, moment));
    this.changed(after);
    return [...charged, ...ended];
  }

  /** Takes in what became of the charge of a part. */
  #charged(payment: TransactionBody, moment: Moment): string[] {
    const { partId = '' } = payment;
    const part = this.parts.find(({ id }) => id === partId);
    if (!part) return [`${partId} is charged, but there is no such part`];
    const known = this.#own.get(partId);
    if (known !== undefined && known !== payment.id) return [`${partId} is charged twice`];
    this.#own.set(partId, payment.id);
    const wasTaken = part.charge === 'taken';
    part.charge = CHARGES[payment.status ?? 'Accepted'] ?? 'failed';
    const { card, mayTake } = moment;
    if (part.charge === 'failed' && known === undefined && card.pays && mayTake > 0) {
      return [`${partId} failed on a card that pays`];
    }
    if (part.charge !== 'taken' || wasTaken) return [];
    const took = moment.after.minor(payment.amount);
    const right = Math.min(part.amount - part.covered, mayTake);
    moment.mayTake -= took;
    part.brought = took;
    part.amount = part.covered + took;
    return took === right ? [] : [`${partId} took ${took}, right is ${right}`];
  }

  /** A plan that is cancelled charges nothing more: what is still to come ends, and no rest takes its place. */
  cancel(known: Known): void {
    this.changed(known);
    for (const part of this.parts) if (stateOf(part) === 'planned') end(part);
  }

  /** Whether nothing is to come any more. */
  isDone(nowMs: number): boolean {
    const isOver = (part: ModelPart) => {
      const state = stateOf(part);
      if (state === 'paid') return part.charge === 'taken' || part.due <= nowMs;
      return state === 'failed' || state === 'void';
    };
    return this.parts.length > 0 && this.parts.every(isOver);
  }

  /** How the service's plan differs from what it must be. A part left behind is due a day after whenever that was. */
  differences(plan: AnswerBody['plan'], { minor, stay }: Known): string[] {
    const right = this.parts.filter(({ void: isVoid }) => !isVoid);
    const seen = plan.parts.filter(({ status }) => status !== 'void');
    const lines = right.map((part) => {
      const its = seen.find(({ partId }) => partId === part.id);
      const dueAt = Date.parse(its?.dueAt ?? '');
      if (part.due !== part.terms && Math.abs(dueAt - part.due) < 60_000) part.due = dueAt;
      return line(
        part.id,
        stateOf(part),
        part.amount,
        part.covered + part.brought,
        second(part.due),
      );
    });
    const theirs = seen.map(({ amount, dueAt, paid, partId, status }) =>
      line(partId, status, minor(amount), minor(paid), second(Date.parse(dueAt))),
    );
    const total = right.reduce((sum, { amount }) => sum + amount, 0);
    const sums = [total, stay.total === 0 ? 0 : stay.total - total];
    return [
      ...onlyIn(lines, theirs).map((one) => `missing: ${one}`),
      ...onlyIn(theirs, lines).map((one) => `not right: ${one}`),
      ...(sums.join() === [plan.total, plan.difference].map(minor).join()
        ? []
        : [`total and difference ${plan.total}, ${plan.difference}, right are ${sums.join()}`]),
    ];
  }

  /** What is to come by the plan. */
  planned(): number {
    return this.parts
      .filter((part) => stateOf(part) === 'planned')
      .reduce((sum, { amount, covered }) => sum + amount - covered, 0);
  }

  /** What other charges than those of its parts took, before refunds. */
  #others(known: Known): number {
    const own = new Set(this.#own.values());
    return takenOf(known)
      .filter(({ id }) => !own.has(id))
      .reduce((sum, { amount }) => sum + known.minor(amount), 0);
  }
}

/** What is known while charges are taken in: what may still be taken falls with each. */
interface Moment {
  readonly card: ChargedCard;
  readonly after: Known;
  mayTake: number;
}

/** Ends a part past its time that was not charged: nothing was due. */
function endedAt(part: ModelPart, { after, mayTake }: Moment): string[] {
  const isOver = part.charge === 'none' && stateOf(part) === 'planned' && part.due <= after.nowMs;
  if (!isOver) return [];
  end(part);
  return mayTake > 0 ? [`${part.id} was due, and is not charged`] : [];
}

function end(part: ModelPart): void {
  if (part.covered === 0) part.void = true;
  else part.amount = part.covered;
  part.ended = true;
}

const CHARGES: Readonly<Record<string, ModelPart['charge']>> = {
  Accepted: 'taken',
  Pending: 'waits',
  Processing: 'sent',
};

const line = (...words: readonly (string | number)[]) => words.join(' ');
const second = (atMs: number) => Math.floor(atMs / 1_000);
const onlyIn = (some: readonly string[], others: readonly string[]) =>
  some.filter((one) => !others.includes(one));

/** What a cancellation keeps, takes and gives back. */
export interface JudgedCancellation {
  readonly keep: number;
  readonly captured: number;
  readonly charged: number;
  readonly refunded: number;
  readonly uncollected: number;
}

export type Keep =
  | { readonly percent: number }
  | { readonly firstNight: true }
  | { readonly amount: number }
  | { readonly paid: true }
  | { readonly nothing: true };

/** What a policy keeps of a stay. `amount` is in minor units here. */
export function keptOf(keep: Keep, known: Known): number {
  const { firstNight, total } = known.stay;
  if ('amount' in keep) return total === 0 ? keep.amount : Math.min(total, keep.amount);
  if ('percent' in keep) return Math.floor((total * keep.percent * 2 + 100) / 200);
  if ('firstNight' in keep) return Math.min(total, firstNight);
  return 'paid' in keep ? Math.min(total, paidOf(known)) : 0;
}

/** What keeping so much comes to, with a card that pays, that does not, or none. */
export function judgeCancellation(
  keep: number,
  card: 'pays' | 'declines' | 'none',
  known: Known,
): JudgedCancellation {
  const paid = paidOf(known);
  const held = known.payments
    .filter((payment) => payment.status === 'Authorized' && !isBond(payment))
    .reduce((sum, { amount }) => sum + known.minor(amount), 0);
  const lacks = Math.max(0, keep - paid);
  const captured = Math.min(lacks, held);
  const charged = card === 'pays' ? lacks - captured : 0;
  const room = takenOf(known)
    .filter(({ id }) => !known.withdrawn.has(id))
    .reduce((sum, it) => sum + leftOf(it, known), 0);
  const refunded = Math.min(room, Math.max(0, paid - keep));
  return { keep, captured, charged, refunded, uncollected: lacks - captured - charged };
}
