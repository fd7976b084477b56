import type { Child } from 'hono/jsx';
import { day, money } from '../../../core/format.ts';
import type { BankLine, Likely } from '../../../desk/reports/bankLine.ts';
import type { Recognised } from '../../../desk/reports/payouts.ts';
import type { Person } from '../../../records/staff/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import { Records } from '../../web/table.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { bankLinePath, disbursementPath } from '../paths.ts';
import { itemColumns } from './payoutTables.tsx';
import { payoutStatusCopy } from './payoutWords.ts';
import { DAYS_AROUND, type LineErrors, type TypedLine, USUAL_DAYS_AROUND } from './readBankLine.ts';
import { PayoutTabs } from './tabs.tsx';

/** What was found out about a bank line. */
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
}: {
  readonly person: Person;
  readonly property: PropertyRow;
  readonly typed: TypedLine;
  readonly errors: LineErrors;
  readonly answered: Answered | null;
}) {
  return (
    <ConsoleLayout
      title="What is this bank line?"
      person={person}
      property={property}
      here="disbursements"
    >
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
      <Field name="amount" label="Amount" error={errors.amount}>
        <input
          id="amount"
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          value={typed.amount}
          {...faultOf('amount', errors)}
        />
      </Field>
      <Field name="day" label="Day" error={errors.day}>
        <input id="day" name="day" type="date" value={typed.day} {...faultOf('day', errors)} />
      </Field>
      <Field name="days" label="Days around it">
        <select id="days" name="days">
          {DAYS_AROUND.map((one) => (
            <option value={one} selected={String(one) === days}>
              {one === 0 ? 'None' : `Up to ${one}`}
            </option>
          ))}
        </select>
      </Field>
      <Field name="currency" label="Currency" error={errors.currency}>
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
      <button type="submit">Find</button>
    </form>
  );
}

function faultOf(name: keyof TypedLine, errors: LineErrors) {
  return (
    errors[name] !== undefined && { 'aria-invalid': true, 'aria-describedby': `${name}-error` }
  );
}

function Field({
  name,
  label,
  error,
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly error?: string | undefined;
  readonly children?: Child;
}) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children}
      {error !== undefined && (
        <p id={`${name}-error`} class="error">
          {error}
        </p>
      )}
    </div>
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
            No payout brings exactly {money(line.amountMinor, line.currency)} around {day(line.day)}
            .
          </p>
        ) : (
          <LikelyList property={property} line={line} likely={matches} />
        )}
      </section>
      {matches.length > 0 && (
        <section aria-labelledby="bookings">
          <h2 id="bookings">Its bookings</h2>
          <Records
            caption="The first items, the oldest first"
            columns={itemColumns(property)}
            rows={recognised.items}
          />
          <CsvLink path={bankLinePath(property.id, { ...typed })} of="the items" />
        </section>
      )}
      {others.length > 0 && (
        <section aria-labelledby="others">
          <h2 id="others">{matches.length > 0 ? 'Also like it' : 'Perhaps it is one of these'}</h2>
          <LikelyList property={property} line={line} likely={others} />
        </section>
      )}
    </>
  );
}

function foundCopy(matches: number): string {
  if (matches === 0) return 'Nothing fits exactly';
  return matches === 1 ? 'It is this payout' : `It is one of these ${matches} payouts`;
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
          : {money(one.row.netMinor, one.row.currency)}, {day(one.row.arrivalDate)}
          <p class="soft">{likelyCopy(line, one)}</p>
        </li>
      ))}
    </ul>
  );
}

/** What a payout has to do with a bank line, in a sentence. */
export function likelyCopy(line: BankLine, { daysLater, likeness, row }: Likely): string {
  const { currency, netMinor, grossMinor } = row;
  switch (likeness) {
    case 'match':
      return `The amount fits, and the money is expected ${whenCopy(daysLater)}. ${payoutStatusCopy[row.status]}.`;
    case 'failed':
      return 'The amount fits, but this payout failed: its money did not reach the bank.';
    case 'otherDay':
      return `The amount fits, but the money is expected ${whenCopy(daysLater)}.`;
    case 'gross':
      return `The line has what guests paid, ${money(grossMinor, currency)}; after the acquirer’s fees ${money(netMinor, currency)} reaches the bank.`;
    case 'opposite':
      return 'The amount fits, but the money goes the other way.';
    case 'otherCurrency':
      return `The figures fit, but this payout is in ${currency}.`;
    case 'nearly': {
      const off = netMinor - line.amountMinor;
      return `The day fits, but it is ${money(Math.abs(off), currency)} ${off > 0 ? 'more' : 'less'}: the bank may have taken or added something.`;
    }
  }
}

function whenCopy(daysLater: number): string {
  if (daysLater === 0) return 'on that day';
  const number = Math.abs(daysLater);
  return `${number === 1 ? '1 day' : `${number} days`} ${daysLater > 0 ? 'later' : 'earlier'}`;
}
