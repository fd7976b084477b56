/** Stories of cards that fail: a property that asks its guests, with a clock of its own. */

import { DAY_MS } from '../../src/core/time.ts';
import { bookingOf, type CallOptions, call, callAsAdmin, makeProperty, testEnv } from './api.ts';
import { GOOD } from './cards.ts';
import { monthAhead } from './days.ts';
import { EVENTS } from './history.ts';
import { type MailBody, mailbox } from './mailbox.ts';
import { SETTINGS } from './recoverySettings.ts';

export const EXPIRED = '4000000000000069';
export const RENEWED = '4000000000003410';

let made = 0;

/** How a story begins. */
interface Beginning {
  readonly cardRecovery?: object | null;
  readonly property?: Record<string, unknown>;
  readonly booking?: Record<string, unknown>;
}

/** A property of its own with a booking, and what one can do with them. */
export async function recoveryStory({
  cardRecovery = SETTINGS,
  property: details = {},
  booking = {},
}: Beginning = {}) {
  made += 1;
  const property = `recovery-${made}`;
  const reference = 'R-1';
  const email = `guest-${made}@hotel.com`;
  const token = await makeProperty(property, { ...(cardRecovery && { cardRecovery }), ...details });
  const options: CallOptions = { token };
  const post = (path: string, body: object = {}) => call(path, { reference, ...body }, options);
  const body = {
    ...bookingOf(reference, { email, arrival: '14-02-2028', departure: '17-02-2028' }),
    ...booking,
  };
  await call('/booking/v1/create/manage-payments', body, options);
  return {
    property,
    reference,
    email,
    options,
    post,
    /** Attaches a card, as the booking engine does. */
    async attach(cardNumber: string, cardExpiry = '12/2040', of = reference): Promise<string> {
      const card = { reference: of, cardNumber, cardExpiry, cvv: '123' };
      const { status, json } = await call('/payment/v1/tokenize', card, options);
      if (status !== 200) throw new Error(`no card: ${JSON.stringify(json)}`);
      return json.card.token;
    },
    /** Schedules a charge, and returns its id. */
    async schedule(atMs: number, amount = 100, more: object = {}): Promise<number> {
      const time = new Date(atMs).toISOString();
      const { status, json } = await post('/payment/v1/schedule', { amount, time, ...more });
      if (status !== 200) throw new Error(`no schedule: ${JSON.stringify(json)}`);
      return json.transaction.id;
    },
    async advance(atMs: number): Promise<void> {
      const to = new Date(atMs).toISOString();
      const { status, json } = await callAsAdmin('/sandbox/v1/clock/advance', { property, to });
      if (status !== 200) throw new Error(`no advance: ${JSON.stringify(json)}`);
    },
    async now(): Promise<number> {
      const { json } = await callAsAdmin('/sandbox/v1/clock/get', { property });
      return Date.parse(json.now);
    },
    async list() {
      const { transactions } = (await post('/payment/v1/transaction')).json;
      // By their times: ids made by real time can lie ahead after a test that moved it.
      return transactions.toSorted(
        (one, other) => Date.parse(one.timeStamp) - Date.parse(other.timeStamp),
      );
    },
    async health(filter: object = {}): Promise<Problem[]> {
      const { json } = await call('/card/v1/health', filter, options);
      return (json as unknown as { problems: Problem[] }).problems;
    },
    /** The messages to this story's guest, oldest first. */
    async mails(): Promise<MailBody[]> {
      const all = await mailbox();
      return all.filter(({ to }) => to === email).toReversed();
    },
    /** The types of the booking's events, in their order, without those of the booking and its cards. */
    async events(prefix = ''): Promise<string[]> {
      const { results } = await testEnv.DB.prepare(
        `SELECT type FROM ${EVENTS} WHERE property_id = ? AND type GLOB ? ORDER BY number`,
      )
        .bind(property, `${prefix}*`)
        .all<{ type: string }>();
      return results.map(({ type }) => type);
    },
  };
}

export type RecoveryStory = Awaited<ReturnType<typeof recoveryStory>>;

/** A problem of a card, as the list has it. */
export interface Problem {
  readonly bookingReference: string;
  readonly chargeId: number | null;
  readonly planId?: string;
  readonly partId?: string;
  readonly scheduledTime: string | null;
  readonly cardNumber: string;
  readonly problem: string;
  readonly askedAt: string | null;
  readonly deadline: string | null;
}

/** A schedule ten days after its card has expired, and when its guest is asked. */
export async function expiringSchedule(story: RecoveryStory, more: object = {}) {
  const { text, endsAtMs } = monthAhead(2);
  const cardToken = await story.attach(GOOD, text);
  const chargeAtMs = endsAtMs + 10 * DAY_MS;
  const chargeId = await story.schedule(chargeAtMs, 100, more);
  return { cardToken, chargeId, chargeAtMs, askAtMs: chargeAtMs - 14 * DAY_MS };
}
