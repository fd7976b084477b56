import { day, money } from '../../../core/format.ts';
import type { BankLine, Likely } from '../../../desk/reports/bankLine.ts';
import type { Recognised } from '../../../desk/reports/payouts.ts';
import { words } from '../../../desk/words.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import { Field } from '../../web/forms.tsx';
import { Records } from '../../web/table.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { bankLinePath, disbursementPath } from '../paths.ts';
import type { Viewed } from '../propertyRequest.ts';
import { itemColumns, PayoutTabs } from './payoutPages.tsx';

const { bankLine: copy } = words;

/** How many days around the day may be chosen. */
export const DAYS_AROUND = [0, 1, 3, 7, 14] as const;

/** How many count if nobody chose. */
export const USUAL_DAYS_AROUND = 3;

export interface TypedLine {
  readonly amount: string;
  readonly day: string;
  readonly days: string;
  readonly currency: string;
}

/** What is wrong with each field, in a sentence. */
export type LineErrors = Partial<Record<keyof TypedLine, string>>;

export interface Answered {
  readonly line: BankLine;
  readonly recognised: Recognised;
}

/** The question what a line of a bank statement is, and its answer; `answered` is null before it was asked. */
export function BankLinePage({
  person,
  property,
  typed,
  errors,
  answered,
}: Viewed & {
  readonly typed: TypedLine;
  readonly errors: LineErrors;
  readonly answered: Answered | null;
}) {
  return (
    <ConsoleLayout title={copy.title} person={person} property={property} here="disbursements">
      <PayoutTabs property={property} current="bank-line" />
      <LineForm property={property} typed={typed} errors={errors} />
      {answered && <Answer property={property} typed={typed} answered={answered} />}
    </ConsoleLayout>
  );
}

function LineForm({
  property,
  typed,
  errors,
}: {
  readonly property: PropertyRow;
  readonly typed: TypedLine;
  readonly errors: LineErrors;
}) {
  const days = typed.days === '' ? String(USUAL_DAYS_AROUND) : typed.days;
  return (
    <form method="get" action="/console/bank-line" class="days">
      <input type="hidden" name="property" value={property.id} />
      <Field id="amount" label={copy.amount} error={errors.amount}>
        <input
          id="amount"
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          value={typed.amount}
          {...faultOf('amount', errors)}
        />
      </Field>
      <Field id="day" label={copy.day} error={errors.day}>
        <input id="day" name="day" type="date" value={typed.day} {...faultOf('day', errors)} />
      </Field>
      <Field id="days" label={copy.days}>
        <select id="days" name="days">
          {DAYS_AROUND.map((one) => (
            <option value={one} selected={String(one) === days}>
              {one === 0 ? copy.none : copy.upTo({ days: String(one) })}
            </option>
          ))}
        </select>
      </Field>
      <Field id="currency" label={copy.currency} error={errors.currency}>
        <input
          id="currency"
          name="currency"
          maxlength={3}
          autocomplete="off"
          placeholder={property.currency}
          value={typed.currency}
          {...faultOf('currency', errors)}
        />
      </Field>
      <button type="submit">{copy.find}</button>
    </form>
  );
}

function faultOf(name: keyof TypedLine, errors: LineErrors) {
  return (
    errors[name] !== undefined && { 'aria-invalid': true, 'aria-describedby': `${name}-error` }
  );
}

function Answer({
  property,
  typed,
  answered: { line, recognised },
}: {
  readonly property: PropertyRow;
  readonly typed: TypedLine;
  readonly answered: Answered;
}) {
  const matches = recognised.likely.filter(({ likeness }) => likeness === 'match');
  const others = recognised.likely.filter(({ likeness }) => likeness !== 'match');
  return (
    <>
      <section aria-labelledby="found">
        <h2 id="found">{foundCopy(matches.length)}</h2>
        {matches.length === 0 ? (
          <p>
            {copy.noPayout({
              amount: money(line.amountMinor, line.currency),
              day: day(line.day),
            })}
          </p>
        ) : (
          <LikelyList property={property} line={line} likely={matches} />
        )}
      </section>
      {matches.length > 0 && (
        <section aria-labelledby="bookings">
          <h2 id="bookings">{copy.bookings}</h2>
          <Records caption={copy.items} columns={itemColumns(property)} rows={recognised.items} />
          <CsvLink path={bankLinePath(property.id, { ...typed })} of={copy.file} />
        </section>
      )}
      {others.length > 0 && (
        <section aria-labelledby="others">
          <h2 id="others">{matches.length > 0 ? copy.others : copy.possible}</h2>
          <LikelyList property={property} line={line} likely={others} />
        </section>
      )}
    </>
  );
}

function foundCopy(matches: number): string {
  if (matches === 0) return copy.nothing;
  return matches === 1 ? copy.itIs : copy.oneOf({ number: String(matches) });
}

function LikelyList({
  property,
  line,
  likely,
}: {
  readonly property: PropertyRow;
  readonly line: BankLine;
  readonly likely: readonly Likely[];
}) {
  return (
    <ul class="found">
      {likely.map((one) => (
        <li>
          <a href={disbursementPath(property.id, one.row.id)}>
            <bdi>{one.row.id}</bdi>
          </a>
          {copy.payout({
            amount: money(one.row.netMinor, one.row.currency),
            day: day(one.row.arrivalDate),
          })}
          <p class="soft">{likelyCopy(line, one)}</p>
        </li>
      ))}
    </ul>
  );
}

/** What a payout has to do with a bank line, in a sentence. */
export function likelyCopy(line: BankLine, { daysLater, likeness, row }: Likely): string {
  const { currency, netMinor, grossMinor } = row;
  const when = whenCopy(daysLater);
  switch (likeness) {
    case 'match':
      return copy.match({ when, state: words.payoutStates[row.status] });
    case 'otherDay':
      return copy.otherDay({ when });
    case 'gross':
      return copy.gross({ gross: money(grossMinor, currency), net: money(netMinor, currency) });
    case 'otherCurrency':
      return copy.otherCurrency({ currency });
    case 'nearly': {
      const off = netMinor - line.amountMinor;
      return copy[off > 0 ? 'more' : 'less']({ amount: money(Math.abs(off), currency) });
    }
    default:
      return copy[likeness];
  }
}

function whenCopy(daysLater: number): string {
  if (daysLater === 0) return copy.onDay;
  return copy[daysLater > 0 ? 'later' : 'earlier']({ days: Math.abs(daysLater) });
}
