/** Messages as a local start keeps them. */
import { languages } from '../../src/core/words/words.ts';
import { sweepMails } from '../../src/mails/stub.ts';
import { http, testEnv } from './api.ts';
import { wordsIn } from './languages.ts';

/** A message to a guest or a property. */
export interface MailBody {
  /** Lists go on before it. */
  readonly id: number;
  readonly to: string;
  readonly from: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A time in UTC. */
  readonly at: string;
}

/** The messages of the local mailbox, newest first. */
export async function mailbox(): Promise<MailBody[]> {
  const response = await http('/dev/mailbox', { headers: { Accept: 'application/json' } });
  return ((await response.json()) as { messages: MailBody[] }).messages;
}

/** The messages to an address, oldest first. */
export async function mailsTo(address: string): Promise<MailBody[]> {
  return (await mailbox()).filter(({ to }) => to === address).toReversed();
}

/** The newest link of a message that asks its guest for something, once all that is due is out. */
export async function newestLink(): Promise<string> {
  await mailsAreOut();
  const links = (await mailbox()).flatMap(linkToAnswer);
  return links[0] ?? '';
}

/** The link by which a guest answers a message; none of a receipt, nor of a message to the property. */
function linkToAnswer({ text }: Pick<MailBody, 'text'>): string[] {
  const isReceipt = languages.some((language) =>
    text.includes(`${wordsIn(language).mails.facts.seeBooking}:`),
  );
  const [link] = /https?:\/\/\S+\/guest\/\S+/.exec(text) ?? [];
  return isReceipt || link === undefined ? [] : [link];
}

/** A mail of the outbox. */
export interface MailState {
  readonly kind: string;
  readonly status: string;
  readonly attempts: number;
  readonly dueAtMs: number | null;
  readonly lastError: string | null;
  readonly subject: string;
}

/** The outbox's mails of a booking, in the order in which they were queued. */
export async function mailStates(property: string, reference: string): Promise<MailState[]> {
  const { results } = await testEnv.DB.prepare(
    `SELECT kind, status, attempts, due_at_ms AS dueAtMs, last_error AS lastError,
      subject_kind || ' ' || subject_id AS subject FROM mails
      WHERE property_id = ? AND booking_reference = ? ORDER BY created_at_ms, id`,
  )
    .bind(property, reference)
    .all<MailState>();
  return results;
}

/**
 * Waits until nothing that is due by its property's clock is left in the outbox, as notifications and alarms empty it.
 * Entries of the daily digest wait for the sweep, which plans them.
 */
export async function mailsAreOut(): Promise<void> {
  for (;;) {
    const { results } = await testEnv.DB.prepare(
      `SELECT 1 FROM mails m JOIN properties p ON p.id = m.property_id
        WHERE m.due_at_ms <= ? + p.clock_ahead_ms AND (m.kind <> 'dailyWord' OR m.morning IS NOT NULL)`,
    )
      .bind(Date.now())
      .all();
    if (results.length === 0) return;
    await scheduler.wait(10);
  }
}

/** Does the same by the sweep alone: where notifications got lost. */
export async function sweepMailsOut(): Promise<void> {
  await sweepMails(testEnv, Date.now());
  await mailsAreOut();
}
