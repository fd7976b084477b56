import { boundOf } from '../../../core/bounds.ts';
import { getOrInsertComputed } from '../../../core/getOrInsertComputed.ts';
import { type IsoDate, localDate } from '../../../core/time.ts';

/** A line of the PMS's ledger, as the PMS sent it. */
export interface LedgerLine {
  readonly transactionId?: string | number | null | undefined;
  /** The booking's. */
  readonly reference: string;
  readonly type: 'Payment' | 'Refund';
  /** With fees; negative where a refund or a chargeback came back. In minor units of the property's currency. */
  readonly amountMinor: number;
  /** A time with offset, a local time `YYYY-MM-DD HH:MM:SS`, or a day. */
  readonly processedTime?: string | null | undefined;
}

/** A movement of money as a message told it to the PMS. */
export interface ToldTransaction {
  readonly messageId: string;
  readonly transactionId: string;
  readonly reference: string;
  readonly type: 'Payment' | 'Refund';
  readonly amountMinor: number;
  /** With the property's offset, so that it begins with the local day. */
  readonly processedTime: string;
  readonly delivery: 'Pending' | 'Confirmed' | 'Dead' | 'Dismissed';
  /** Whether it lies in the span that is compared: only then can the PMS's report lack it. */
  readonly isInSpan: boolean;
}

/** What a line says otherwise than the message of its transaction. Amounts are in minor units. */
export type LineDifference = { readonly transactionId: string | number } & (
  | { readonly field: 'amountGross'; readonly ours: number; readonly theirs: number }
  | {
      readonly field: 'reference' | 'type' | 'processedTime';
      readonly ours: string;
      readonly theirs: string;
    }
);

/** How the PMS's ledger agrees with the messages. */
export interface LedgerComparison {
  readonly matched: number;
  readonly missing: readonly ToldTransaction[];
  readonly unknown: readonly LedgerLine[];
  readonly twice: readonly LedgerLine[];
  readonly different: readonly LineDifference[];
}

/**
 * Compares lines of the PMS's ledger with what messages told it. A line is matched by its transaction id, or else by
 * booking, type, amount and local day; each message by one line. Times of lines without offset are local.
 */
export function compareLines(
  told: readonly ToldTransaction[],
  lines: readonly LedgerLine[],
  timeZone: string,
): LedgerComparison {
  const byId = new Map(told.map((one) => [one.transactionId, one]));
  const named = lines.map((line) => byId.get(String(line.transactionId ?? '')));
  const taken = new Map<ToldTransaction, 'by id' | 'by what it says'>();
  const twice: LedgerLine[] = [];
  const different: LineDifference[] = [];
  let matched = 0;
  for (const [at, line] of lines.entries()) {
    const ours = named[at];
    if (ours === undefined) continue;
    if (taken.has(ours)) {
      twice.push(line);
      continue;
    }
    taken.set(ours, 'by id');
    const differences = differencesOf(ours, line, timeZone);
    if (differences.length === 0) matched += 1;
    else different.push(...differences);
  }
  const alike = alikes(told);
  const unknown: LedgerLine[] = [];
  for (const line of lines.filter((_, at) => named[at] === undefined)) {
    const candidates = (alike.get(alikeKey(line)) ?? []).filter((ours) =>
      isOnDay(ours, line, timeZone),
    );
    const free = candidates.find((ours) => !taken.has(ours));
    if (free) {
      taken.set(free, 'by what it says');
      matched += 1;
    } else if (candidates.some((ours) => isSecondOf(line, taken.get(ours)))) twice.push(line);
    else unknown.push(line);
  }
  const missing = told.filter((ours) => ours.isInSpan && !taken.has(ours));
  return { matched, missing, unknown, twice, different };
}

/**
 * Whether a line repeats one that took its message already. A line with an id that is unknown here is another payment,
 * where the PMS knows this one by our id.
 */
function isSecondOf({ transactionId }: LedgerLine, took: 'by id' | 'by what it says' | undefined) {
  const hasNoId = (transactionId ?? '') === '';
  return took === 'by what it says' || (took === 'by id' && hasNoId);
}

function alikes(told: readonly ToldTransaction[]): Map<string, ToldTransaction[]> {
  const alike = new Map<string, ToldTransaction[]>();
  for (const one of told) getOrInsertComputed(alike, alikeKey(one), () => []).push(one);
  return alike;
}

function alikeKey({ amountMinor, reference, type }: Omit<LedgerLine, 'transactionId'>): string {
  return JSON.stringify([reference, type, amountMinor]);
}

/** Whether a line has a transaction's local day; one without a time may have any. */
function isOnDay(ours: ToldTransaction, { processedTime }: LedgerLine, timeZone: string): boolean {
  return (
    (processedTime ?? '') === '' ||
    dayOf(processedTime, timeZone) === dayOf(ours.processedTime, timeZone)
  );
}

function differencesOf(
  ours: ToldTransaction,
  line: LedgerLine,
  timeZone: string,
): LineDifference[] {
  const transactionId = line.transactionId ?? ours.transactionId;
  const texts = (['reference', 'type'] as const)
    .filter((field) => ours[field] !== line[field])
    .map((field) => ({ transactionId, field, ours: ours[field], theirs: line[field] }));
  const isSameAmount = ours.amountMinor === line.amountMinor;
  const amount = {
    field: 'amountGross',
    ours: ours.amountMinor,
    theirs: line.amountMinor,
  } as const;
  const { processedTime } = ours;
  const time = {
    field: 'processedTime',
    ours: processedTime,
    theirs: line.processedTime ?? '',
  } as const;
  return [
    ...texts,
    ...(isSameAmount ? [] : [{ transactionId, ...amount }]),
    ...(isOnDay(ours, line, timeZone) ? [] : [{ transactionId, ...time }]),
  ];
}

/** Whether a text is a time that a line may have: with offset, local, or a day. */
export function isLineTime(text: string): boolean {
  return dayOf(text, 'UTC') !== null;
}

/** The local day of a line's time; null for a text of another form. */
function dayOf(text: string | null | undefined, timeZone: string): IsoDate | null {
  const [, local] = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}(?::\d{2})?$/.exec(text ?? '') ?? [];
  const bound = boundOf(local ?? text ?? '');
  if (bound === null) return null;
  return 'day' in bound ? bound.day : localDate(bound.atMs, timeZone);
}

/** The local second of an instant, as messages tell it: of `processedTime`, no more is known. */
export function wholeSecond(atMs: number): number {
  return atMs - (atMs % 1_000);
}
