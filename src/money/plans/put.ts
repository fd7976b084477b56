import { type Failure, failure, fieldFailure, fieldIssue } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { commitIntent } from '../../operation/commit.ts';
import type { CallerKey } from '../../operation/idempotency.ts';
import { type BookingWork, bookingState, decideAgain } from '../../operation/work.ts';
import {
  type BookingState,
  bookingCancelled,
  bookingNotFound,
  busy,
  cardInUse,
  uncertain,
} from '../../records/bookings/rules.ts';
import { CARD_OF_FORMER_ACCOUNT, isOfFormerAccount } from '../../records/cards/rules.ts';
import { agreementOfPlan } from '../../records/guestActs/store.ts';
import type { BookingTotals, ChargeTotals } from '../../records/history/sums.ts';
import { lookedAt, partChanges } from '../../records/plans/rules/changes.ts';
import { workOut } from '../../records/plans/rules/follow.ts';
import { cardEndMs } from '../../records/plans/rules/foresight.ts';
import { isTooLong, PLAN_TOO_LONG } from '../../records/plans/rules.ts';
import { planChangesView, planView } from '../../records/plans/views.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PlanSpec } from '../../schema/planSpec.ts';
import type { PlanRow } from '../../schema/planTables.ts';
import { readTotals } from '../balance/readBalance.ts';
import { cardToCharge } from '../payments/loadTransaction.ts';
import { TOKEN_NOT_FOUND } from '../payments/rules.ts';
import { checkChoice, type PlanChoice } from './choice.ts';
import { endOpenParts, readPlan } from './open.ts';
import { type PlanPut, shownPlan } from './views.ts';

/** Terms to put, or the name of the property's template of some. */
export interface PutPlan {
  /** In minor units of `currency`; null with a template. */
  readonly spec: PlanSpec | null;
  readonly template: string | null;
  readonly currency: string;
  /** The card to charge; null for that of the booking at each time. */
  readonly cardToken: string | null;
  /** Whether to answer alone, and write nothing. */
  readonly dryRun: boolean;
  /** For the audit trail; undefined for nothing. */
  readonly detail?: string;
  /** Where a guest chooses a template: it has to be offered, and to come to what their page showed. It names no card. */
  readonly choice?: PlanChoice;
  /** What the page showed that a person of the staff confirmed: `shownPlan()`. Another plan is not put. */
  readonly shown?: string;
  readonly caller: CallerKey | null;
}

/**
 * Puts a booking's payment plan in place of the active one, if it has one (interface: Put a plan). What that has charged
 * stays, and counts as any other charge does.
 */
export function putPlan(work: BookingWork, put: PutPlan): Promise<Result<PlanPut>> {
  return decideAgain(work, async () => {
    const state = await bookingState(work);
    if (!state) return err(bookingNotFound());
    const totals = await readTotals(work);
    const last = await readPlan(work);
    const { cardToken } = put;
    const card = cardToken ? await cardToCharge(work, state, cardToken) : cardInUse(state);
    const refused = await whyRefused(work, state, put, { plan: last, totals, card });
    if (refused) return err(refused);
    const template = state.property.planTemplates.find(({ key }) => key === put.template);
    const spec = put.spec ?? template?.spec;
    if (!spec) return err(NO_TEMPLATE);
    const active = last?.status === 'active' ? last : null;
    const plan = newPlan(work, state, active, { cardToken, card, spec });
    if (isTooLong(plan, state)) return err(PLAN_TOO_LONG);
    const answer = answerOf(state, active, plan, put);
    return put.dryRun ? ok(answer) : save(work, last, plan, { put, answer });
  });
}

const NOT_AS_SHOWN = failure('quote_stale', 'The plan would not be as it was shown any more.');

/** What a put is checked against, beside the booking. */
interface Circumstances {
  /** The booking's plan, the active one or else the last. */
  readonly plan: PlanRow | null;
  readonly totals: BookingTotals;
  /** The card that it would charge now; null for none. */
  readonly card: CardRow | null;
}

async function whyRefused(
  work: BookingWork,
  state: BookingState,
  put: PutPlan,
  circumstances: Circumstances,
): Promise<Failure | null> {
  const { booking, property } = state;
  if (booking.currency !== put.currency) return busy();
  if (booking.status === 'cancelled') return bookingCancelled();
  if (put.cardToken === null) return whyNotChosen(work, state, put, circumstances);
  const { card } = circumstances;
  if (card === null) return TOKEN_NOT_FOUND;
  return isOfFormerAccount(property, card) ? CARD_OF_FORMER_ACCOUNT : null;
}

/** Why a guest cannot choose the plan; null if they can, or where no guest chooses it. */
async function whyNotChosen(
  work: BookingWork,
  state: BookingState,
  { choice, template }: PutPlan,
  { plan, totals }: Omit<Circumstances, 'card'>,
): Promise<Failure | null> {
  if (choice === undefined) return null;
  const { scheduledMinor } = totals;
  const circumstances = { plan, totals: knownTotals(work), scheduledMinor, nowMs: work.now() };
  return checkChoice(state, circumstances, { shown: choice.shown, template });
}

/** The sums of the booking's charges; they are read by then. */
function knownTotals({ memory }: BookingWork): readonly ChargeTotals[] {
  return memory.history?.totals ?? [];
}

const NO_TEMPLATE = fieldFailure([
  fieldIssue('template', 'invalid_value', 'The property has no template with this key.'),
]);

function newPlan(
  work: BookingWork,
  { booking, property }: BookingState,
  active: PlanRow | null,
  { card, cardToken, spec }: Pick<PlanRow, 'cardToken' | 'spec'> & Pick<Circumstances, 'card'>,
): PlanRow {
  const nowMs = work.now();
  const cardEndsAtMs = cardEndMs(card, property.timeZone);
  const terms = { spec, parts: null, putAtMs: nowMs };
  const followed = { stay: booking, timeZone: property.timeZone, totals: knownTotals(work), nowMs };
  const parts = workOut(terms, followed);
  return {
    id: active?.id ?? work.newReference(),
    propertyId: work.propertyId,
    bookingReference: work.reference,
    currency: booking.currency,
    cardToken,
    cardEndsAtMs,
    spec,
    parts,
    ...lookedAt({ cardEndsAtMs, parts, putAtMs: nowMs }, nowMs),
    putAtMs: nowMs,
    bookingVersion: booking.version,
    version: (active?.version ?? 0) + 1,
    createdAtMs: active?.createdAtMs ?? nowMs,
    changedAtMs: nowMs,
  };
}

function answerOf(
  state: BookingState,
  active: PlanRow | null,
  plan: PlanRow,
  { cardToken, dryRun }: PutPlan,
): PlanPut {
  const { booking, property } = state;
  const changes = partChanges(active?.parts ?? [], plan.parts);
  const hasCard = cardToken !== null || cardInUse(state) !== null;
  const planId = dryRun && active === null ? null : plan.id;
  return {
    plan: planView(plan, booking, property.timeZone, planId),
    planChanges: planChangesView(changes, plan.currency, property.timeZone),
    ...(!hasCard && { warnings: ['no_card' as const] }),
  };
}

async function save(
  work: BookingWork,
  last: PlanRow | null,
  plan: PlanRow,
  { answer, put }: { readonly put: PutPlan; readonly answer: PlanPut },
): Promise<Result<PlanPut>> {
  const isAsShown = put.shown === undefined || put.shown === (await shownPlan(answer.plan));
  if (!isAsShown) return err(NOT_AS_SHOWN);
  const ended = last ? await endOpenParts(work, last, 'the plan was put anew') : [];
  const isDone = plan.status === 'completed';
  const recorded = await commitIntent(
    work,
    'd1.plan.save',
    [
      { takes: { caller: put.caller, commandReference: null, answer: ok(answer) } },
      {
        plan: {
          row: plan,
          events: isDone ? ['plan.saved', 'plan.completed'] : ['plan.saved'],
          ...(put.detail !== undefined && { detail: put.detail }),
        },
      },
      ...agreementOfPlan(plan, put.choice?.agreed),
      ...ended,
    ],
    () => isSaved(work, plan),
  );
  return recorded === 'unknown' ? err(uncertain()) : ok(answer);
}

/** Whether D1 has the plan as this operation wrote it. */
async function isSaved(work: BookingWork, plan: PlanRow): Promise<boolean> {
  work.memory.plan = undefined;
  const now = await readPlan(work);
  return now?.id === plan.id && now.putAtMs === plan.putAtMs && now.version >= plan.version;
}
