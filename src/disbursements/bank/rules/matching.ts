import { daysBetween } from '../../../core/days.ts';
import type { BankLineRow, DisbursementRow } from '../../../schema/disbursementTables.ts';

/** How many days before and after its expected day a disbursement may reach the bank. */
export const DAYS_BEFORE = 1;
export const DAYS_AFTER = 7;

/** A line and the disbursement that it is. */
export interface Pair {
  readonly lineId: string;
  readonly disbursementId: string;
}

/** A disbursement that has no line yet. */
export type Unlined = Pick<
  DisbursementRow,
  'id' | 'description' | 'netMinor' | 'currency' | 'arrivalDate' | 'status'
>;

type Line = Pick<BankLineRow, 'id' | 'description' | 'amountMinor' | 'currency'>;

/** The shortest text that names a disbursement, in letters and digits. */
const SHORTEST_NAME = 6;

/** How many letters of their names {@link namedPairs} looks for in a line before it compares whole names. */
const HEAD = 5;

/** A name of a disbursement as banks may print it. */
interface Name {
  readonly text: string;
  readonly disbursement: Unlined;
  /** Whether any line that has it is the disbursement; else only one with its amount. */
  readonly isCertain: boolean;
}

/**
 * The lines whose description has the id or the statement text of a disbursement. Banks print them in capitals, and without
 * signs. A text that other disbursements have too, or that names no day or number, counts only with the amount. Of several
 * lines that name one, the first with its amount is it: the others are fees for it, or its return.
 */
export function namedPairs(lines: Iterable<Line>, disbursements: readonly Unlined[]): Pair[] {
  const names = namesOf(disbursements);
  if (names.length === 0) return [];
  const byHead = Map.groupBy(names, ({ text }) => text.slice(0, HEAD));
  const heads = new RegExp([...byHead.keys()].join('|'), 'gu');
  const taken = new Map<Unlined, { readonly lineId: string; readonly isExact: boolean }>();
  for (const line of lines) {
    const text = bare(line.description);
    const [found] = [...text.matchAll(heads)]
      .flatMap(({ 0: head, index }) =>
        (byHead.get(head) ?? []).filter((name) => text.startsWith(name.text, index)),
      )
      .filter(({ disbursement, isCertain }) => {
        const by = taken.get(disbursement);
        const isExact = hasAmount(line, disbursement);
        return isExact ? by?.isExact !== true : isCertain && by === undefined;
      })
      .toSorted((one, other) => other.text.length - one.text.length);
    if (!found) continue;
    const { disbursement } = found;
    taken.set(disbursement, { lineId: line.id, isExact: hasAmount(line, disbursement) });
  }
  return [...taken].map(([{ id }, { lineId }]) => ({ lineId, disbursementId: id }));
}

function namesOf(disbursements: readonly Unlined[]): Name[] {
  const texts = new Map<string, number>();
  for (const { description } of disbursements) {
    const text = bare(description);
    texts.set(text, (texts.get(text) ?? 0) + 1);
  }
  return disbursements
    .flatMap((disbursement) => {
      const text = bare(disbursement.description);
      const isCertain = texts.get(text) === 1 && /\d/.test(text);
      return [
        { text: bare(disbursement.id), disbursement, isCertain: true },
        { text, disbursement, isCertain },
      ];
    })
    .filter(({ text }) => text.length >= SHORTEST_NAME);
}

/** A text without case, signs and spaces. */
function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function hasAmount(line: Line, { currency, netMinor }: Unlined): boolean {
  return line.amountMinor === netMinor && line.currency === currency;
}

/** A line and a disbursement with the same amount, whose days are near enough. */
export interface Candidate extends Pair {
  readonly date: string;
  readonly arrivalDate: string;
}

/** Each line with one disbursement at most, and the reverse; those first whose days are nearest. */
export function nearestPairs(candidates: readonly Candidate[]): Pair[] {
  const lines = new Set<string>();
  const disbursements = new Set<string>();
  const distance = ({ arrivalDate, date }: Candidate) => Math.abs(daysBetween(arrivalDate, date));
  return candidates
    .toSorted((one, other) => distance(one) - distance(other))
    .filter(({ disbursementId, lineId }) => {
      if (lines.has(lineId) || disbursements.has(disbursementId)) return false;
      lines.add(lineId);
      disbursements.add(disbursementId);
      return true;
    })
    .map(({ disbursementId, lineId }) => ({ disbursementId, lineId }));
}
