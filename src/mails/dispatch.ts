import { propertyTime } from '../core/propertyClock.ts';
import { withTimeout } from '../core/timeout.ts';
import { staffMessages } from '../core/words/staff.ts';
import { guestMessages } from '../core/words/words.ts';
import { learnLanguage } from '../platform/assets.ts';
import type { Config } from '../platform/config.ts';
import { type Database, openDatabase, type Statement } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { logError, logWarning } from '../platform/log.ts';
import type { MailOutcome } from '../platform/mail/mail.ts';
import { mailLanguage, ownMailLanguage } from '../platform/mail/rules/language.ts';
import { sendMail } from '../platform/mail/send.ts';
import { addressDigest } from '../platform/mail/suppression.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import { Trace } from '../platform/trace.ts';
import { countReminder } from '../records/cardRequests/actions.ts';
import { deleteRequest, supersedeOthers } from '../records/cardRequests/store.ts';
import { selectProperty } from '../records/properties/store.ts';
import type { MailRow } from '../schema/mailTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { compose } from './compose.ts';
import { BOUND_MS, morningAfter, nextAttemptAtMs, turnsAt } from './rules.ts';
import { changeMail, selectDueMails, selectFirstDueMail, selectGotSince, sumUp } from './store.ts';

/** How many mails one run takes, and how many of them are on their way at once. */
const MOST_PER_RUN = 100;
const MOST_AT_ONCE = 5;

/** How long a sender may take. After that nobody knows whether it took the mail, and it is sent again. */
const SENDER_TIMEOUT_MS = 30_000;

/** What one run did, and what is left. */
export interface MailRun {
  readonly sent: number;
  /** How many entries of the daily digest were planned for a morning, and how many mails to guests for later. */
  readonly planned: number;
  readonly property: PropertyRow | null;
  /** When the next mail is due, by the property's clock; null if there is none. */
  readonly nextDueAtMs: number | null;
}

const NOTHING: MailRun = { sent: 0, planned: 0, property: null, nextDueAtMs: null };

/** Sends what is due of a property's mails (interface: Mails). What fails is put off. */
export class MailDispatch {
  readonly #env: Env;
  readonly #config: Config;
  readonly #propertyId: string;
  readonly #trace = new Trace();
  readonly #database: Database;

  constructor(env: Env, config: Config, propertyId: string) {
    this.#env = env;
    this.#config = config;
    this.#propertyId = propertyId;
    this.#database = openDatabase(env, this.#trace).of(propertyId).patient;
  }

  /** Does one run. `mayGoOn` says whether the property's mails are this run's to send. */
  async run(mayGoOn: (property: PropertyRow) => boolean): Promise<MailRun> {
    const database = this.#database;
    const propertyId = this.#propertyId;
    const realMs = Date.now();
    const [[property], due] = await database.batch('d1.mail.read', [
      selectProperty(propertyId),
      selectDueMails(propertyId, realMs, MOST_PER_RUN),
    ]);
    if (!property || !mayGoOn(property)) return NOTHING;
    const nowMs = propertyTime(property, realMs);
    const { planned, aboutPayments, others } = sorted(due.map(({ row }) => row));
    await this.#plan(planned, property, nowMs);
    const emails = new Map(due.map(({ email, row }) => [row.id, email]));
    const ready = await readyOf(
      database,
      propertyId,
      await addressed(aboutPayments, emails),
      nowMs,
    );
    const mails: Ready[] = [...others.map((row) => ({ row, recipient: null })), ...ready];
    for (let from = 0; from < mails.length; from += MOST_AT_ONCE) {
      const together = mails.slice(from, from + MOST_AT_ONCE);
      await Promise.all(together.map((mail) => this.#deliver(mail, property)));
    }
    const [[next]] = await database.batch('d1.mail.read', [selectFirstDueMail(propertyId)]);
    return {
      sent: mails.length,
      planned: planned.length + aboutPayments.length - ready.length,
      property,
      nextDueAtMs: next?.dueAtMs ?? null,
    };
  }

  /** Puts entries of the daily digest off to the morning of the digest. */
  async #plan(
    entries: readonly MailRow[],
    { timeZone }: PropertyRow,
    nowMs: number,
  ): Promise<void> {
    const [first, ...rest] = entries.map((row) => {
      const { day: morning, atMs: dueAtMs } = morningAfter(row.createdAtMs, nowMs, timeZone);
      return changeMail(row, { morning, dueAtMs });
    });
    if (first !== undefined) await this.#database.batch('d1.mail.save', [first, ...rest]);
  }

  /** Sends a mail and records what came of it. One that cannot be made is put off like one that cannot be sent. */
  async #deliver(mailed: Ready, property: PropertyRow): Promise<void> {
    const { row } = mailed;
    const about = aboutMail(row);
    try {
      await learnLanguage(this.#env, guestMessages, mailLanguage(property));
      await learnLanguage(this.#env, staffMessages, ownMailLanguage(property));
      const mail = await compose(this.#composing(property), row);
      if (mail === null)
        return await this.#finish(
          mailed,
          property,
          'Dropped',
          'nobody to send it to, or nothing left to say',
        );
      const nowMs = propertyNow(property);
      if (row.kind === 'cardRecovery' && !(await this.#mayRemind(row, mail.to, nowMs))) return;
      const [env, config, database, trace] = [this.#env, this.#config, this.#database, this.#trace];
      const outcome = await withTimeout<MailOutcome, MailOutcome>(
        sendMail({ trace, config, env, database, nowMs, about }, mail),
        SENDER_TIMEOUT_MS,
        () => ({ kind: 'failed', why: 'timeout' }),
      );
      await this.#record(mailed, property, outcome);
    } catch (error) {
      logError('mail_broke_off', error, about);
      await this.#record(mailed, property, { kind: 'failed', why: 'broke off' });
    }
  }

  /** Counts a reminder among its guest's requests for cards. Puts it off, and returns false, if they got too many. */
  async #mayRemind(row: MailRow, email: string, nowMs: number): Promise<boolean> {
    const { attempts, bookingReference, id, propertyId } = row;
    const database = this.#database;
    const reminder = { id, propertyId, bookingReference, email };
    if (await countReminder(database, reminder, nowMs)) return true;
    const lastError = 'the guest was asked too often within the hour';
    const later = { attempts, lastError, dueAtMs: nowMs + BOUND_MS };
    await database.batch('d1.mail.save', [changeMail(row, later)]);
    return false;
  }

  #composing(property: PropertyRow) {
    const { LOCAL_BASE_URL, PUBLIC_BASE_URL } = this.#env;
    // A deployment has the first, a local start the second.
    const baseUrl = (PUBLIC_BASE_URL || LOCAL_BASE_URL || 'http://localhost').replace(/\/+$/, '');
    const { keyring } = this.#config;
    return { database: this.#database, keyring, baseUrl, property, nowMs: propertyNow(property) };
  }

  async #record(mailed: Ready, property: PropertyRow, outcome: MailOutcome): Promise<void> {
    const { row } = mailed;
    if (outcome.kind === 'sent') return this.#finish(mailed, property, 'Sent', null);
    if (outcome.kind === 'bounced')
      return this.#finish(mailed, property, 'Suppressed', outcome.why);
    const why = outcome.kind === 'failed' ? outcome.why : 'no sender is configured';
    const attempts = row.attempts + 1;
    const dueAtMs = nextAttemptAtMs(attempts, propertyNow(property));
    if (dueAtMs === null) return this.#finish(mailed, property, 'Dead', why);
    await this.#database.batch('d1.mail.save', [
      changeMail(row, { attempts, lastError: why, dueAtMs }),
    ]);
  }

  async #finish(
    { recipient, row }: Ready,
    property: PropertyRow,
    status: Exclude<MailRow['status'], 'Pending'>,
    lastError: string | null,
  ): Promise<void> {
    const completedAtMs = propertyNow(property);
    const attempts = row.attempts + 1;
    const finished = { status, attempts, lastError, completedAtMs, recipient, dueAtMs: null };
    await this.#database.batch('d1.mail.save', [
      changeMail(row, finished),
      ...finishRequest(row, status),
    ]);
    if (status !== 'Sent') {
      const { kind } = row;
      logWarning('mail_not_sent', { ...aboutMail(row), kind, status, why: lastError ?? '' });
    }
  }
}

/** Due rows as what is to be planned and what is to be sent: of a mail made of several rows, one stands for all. */
function sorted(due: readonly MailRow[]) {
  const ready = due.filter(isPlanned);
  const byMail = new Map(ready.toReversed().map((row) => [mailOf(row), row]));
  const mails = ready.filter((row) => byMail.get(mailOf(row)) === row);
  return {
    planned: due.filter((row) => !isPlanned(row)),
    aboutPayments: mails.filter(isAboutPayment),
    others: mails.filter((row) => !isAboutPayment(row)),
  };
}

/** Whether a mail is one of those that an address gets so many of. What asks for a card has a bound of its own. */
function isAboutPayment({ kind }: MailRow): boolean {
  return kind === 'receipt' || kind === 'refund' || kind === 'failedPayment';
}

/** The subject of log lines about a mail. */
function aboutMail({ propertyId, bookingReference, id }: MailRow) {
  return { property: propertyId, booking: bookingReference ?? undefined, mail: id };
}

/** The mail that a row is part of. */
function mailOf({ id, morning, summedUpIn }: MailRow): string {
  return morning ?? summedUpIn ?? id;
}

/** Whether a row waits for nothing but its time: entries of the daily digest are planned for a morning first. */
function isPlanned({ kind, morning }: MailRow): boolean {
  return kind !== 'dailyWord' || morning !== null;
}

/**
 * What a finished mail changes of the card request that it is of. One that was sent supersedes the booking's earlier ones;
 * one that was not is deleted, so that it does not count.
 */
function finishRequest(row: MailRow, status: Exclude<MailRow['status'], 'Pending'>): Statement[] {
  if (row.kind !== 'cardRequest') return [];
  const { propertyId, bookingReference, subjectId: id } = row;
  return [
    status === 'Sent' ? supersedeOthers({ id, propertyId, bookingReference }) : deleteRequest(id),
  ];
}

/** A mail whose turn it is. `recipient` tells its guest's address from others; null without one. */
export interface Ready {
  readonly row: MailRow;
  readonly recipient: string | null;
}

/**
 * The mails about payments that go out now. One address gets so many within an hour: what is more is put off, and then goes out
 * as one. Everything is settled before anything is sent. At most two round trips.
 */
async function readyOf(
  database: Database,
  propertyId: string,
  due: readonly Ready[],
  nowMs: number,
): Promise<Ready[]> {
  if (due.length === 0) return [];
  const byRecipient = Map.groupBy(due, ({ recipient }) => recipient);
  const recipients = [...byRecipient.keys()].filter((one) => one !== null);
  const [got] = await database.batch('d1.mail.read', [
    selectGotSince(propertyId, recipients, nowMs - BOUND_MS),
  ]);
  const shares = [...byRecipient].map(([recipient, mails]) => {
    if (recipient === null) return { ready: mails, statements: [] };
    const lately = got.find((one) => one.recipient === recipient);
    const rows = mails.map(({ row }) => row);
    const entries = rows.map((row) => ({
      wasPutOff: row.recipient !== null && row.summedUpIn === null,
      isSummary: row.summedUpIn !== null,
    }));
    return shareOf(recipient, rows, turnsAt(entries, lately, nowMs));
  });
  const [first, ...rest] = shares.flatMap(({ statements }) => statements);
  if (first !== undefined) await database.batch('d1.mail.save', [first, ...rest]);
  return shares.flatMap(({ ready }) => ready);
}

/** What goes out to one address, and what records the turns of all that is due to it. */
function shareOf(
  recipient: string,
  rows: readonly MailRow[],
  turns: ReturnType<typeof turnsAt>,
): { readonly ready: readonly Ready[]; readonly statements: readonly Statement[] } {
  const inTurn = (kind: string) => rows.filter((_row, index) => turns[index]?.kind === kind);
  const [head, ...others] = inTurn('together');
  const summary = head && { ...head, summedUpIn: head.id };
  const ids = head ? [head, ...others].map(({ id }) => id) : [];
  return {
    ready: [...inTurn('alone'), ...(summary ? [summary] : [])].map((row) => ({ row, recipient })),
    statements: [
      ...(head ? [sumUp(ids, recipient, head.id)] : []),
      ...rows.flatMap((row, index) => {
        const turn = turns[index];
        if (turn?.kind !== 'later') return [];
        return [changeMail(row, { recipient, dueAtMs: turn.atMs })];
      }),
    ],
  };
}

function addressed(
  rows: readonly MailRow[],
  emails: ReadonlyMap<string, string | null>,
): Promise<Ready[]> {
  return Promise.all(
    rows.map(async (row) => {
      const email = emails.get(row.id);
      return { row, recipient: email ? (await addressDigest(email)).slice(0, DIGITS) : null };
    }),
  );
}

/** How much of a digest tells a property's addresses apart: every mail has it, twice with its index. */
const DIGITS = 16;
