import type { Child } from 'hono/jsx';
import { localDate } from '../../../core/time.ts';
import { day, money } from '../../../desk/format.ts';
import {
  type BankLine,
  DAYS_AROUND,
  type Likely,
  type LineErrors,
  readBankLine,
  type TypedLine,
  USUAL_DAYS_AROUND,
} from '../../../desk/reports/bankLine.ts';
import { type Recognised, recogniseBankLine } from '../../../desk/reports/payouts.ts';
import { words } from '../../../desk/words.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { Hidden, InputField, SelectField } from '../../web/forms.tsx';
import { page, Section } from '../../web/page.tsx';
import { repeatable } from '../../web/repeatable.ts';
import { CsvLink, csvAnswer, Records, wantsCsv } from '../../web/table.tsx';
import { showLists } from '../lists/list.tsx';
import { itemColumns, PayoutTabs, payoutsPage } from '../lists/payouts.tsx';
import { CONSOLE_PATH, disbursementPath, pathOf } from '../paths.ts';
import { framed, type PropertyRequest, useViewed } from '../site.tsx';

const { bankLine: copy } = words;

/** How many items of the payouts that are a line the page shows, and the file has. */
const ITEMS_SHOWN = 40;
const MOST_ITEMS = 10_000;

/** Shows what a line of a bank statement is: its payout, and the bookings in it (interface: Console). */
export async function showBankLine(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const { amount = '', currency = '', day = '', days = '' } = c.req.query();
  const typed = { amount: repeatable(amount), currency: repeatable(currency), day, days };
  /** The question what a line is, below its answer. */
  const show = (status: number, answer: Child, errors: LineErrors = {}) => {
    const content = (
      <>
        <PayoutTabs current="bank-line" />
        {answer}
        <LineForm typed={typed} errors={errors} />
      </>
    );
    return page(c, status, framed(request, { title: copy.title, here: 'disbursements' }, content));
  };
  if (amount === '') return show(200, null);
  const today = localDate(propertyNow(property), property.timeZone);
  const line = readBankLine(typed, property.currency, today);
  if (!line.ok) return show(422, null, line.error);
  const limit = wantsCsv(c) ? MOST_ITEMS : ITEMS_SHOWN;
  const recognised = await recogniseBankLine(c.get('database'), property, line.value, limit);
  if (wantsCsv(c)) {
    return csvAnswer(c, `bank-line-${line.value.day}`, itemColumns(property), recognised.items);
  }
  return show(200, <Answer typed={typed} line={line.value} {...recognised} />);
}

/** Shows the payouts of a property, newest first, below the question which of them a line of the bank is (interface: Console). */
export function showPayouts(request: PropertyRequest): Promise<Response> {
  const before = (
    <>
      <PayoutTabs current="disbursements" />
      <QuickForm />
    </>
  );
  return showLists(request, payoutsPage, { before });
}

function QuickForm() {
  const { property } = useViewed();
  // Who says no day asks about the last few.
  const day = localDate(propertyNow(property), property.timeZone);
  const days = String(Math.max(...DAYS_AROUND));
  return (
    <form method="get" action={`${CONSOLE_PATH}/bank-line`} class="days">
      <Hidden fields={{ property: property.id, day, days }} />
      <InputField id="amount" label={copy.quick} inputmode="decimal" autocomplete="off" />
      <button type="submit">{copy.find}</button>
    </form>
  );
}

function LineForm({ typed, errors }: { readonly typed: TypedLine; readonly errors: LineErrors }) {
  const { property } = useViewed();
  const days = typed.days === '' ? String(USUAL_DAYS_AROUND) : typed.days;
  return (
    <form method="get" action={`${CONSOLE_PATH}/bank-line`} class="days">
      <Hidden fields={{ property: property.id }} />
      <InputField
        id="amount"
        label={copy.amount}
        error={errors.amount}
        inputmode="decimal"
        autocomplete="off"
        value={typed.amount}
      />
      <InputField id="day" label={copy.day} error={errors.day} type="date" value={typed.day} />
      <SelectField
        id="days"
        label={copy.days}
        chosen={days}
        options={DAYS_AROUND.map(String).map((one) => [
          one,
          one === '0' ? copy.none : copy.upTo({ days: one }),
        ])}
      />
      <InputField
        id="currency"
        label={copy.currency}
        error={errors.currency}
        maxlength={3}
        autocomplete="off"
        placeholder={property.currency}
        value={typed.currency}
      />
      <button type="submit">{copy.find}</button>
    </form>
  );
}

function Answer(answer: Recognised & { readonly typed: TypedLine; readonly line: BankLine }) {
  const { typed, line, items, likely } = answer;
  const { property } = useViewed();
  const matches = likely.filter(({ likeness }) => likeness === 'match');
  const others = likely.filter(({ likeness }) => likeness !== 'match');
  return (
    <>
      <Section id="found" heading={foundCopy(matches.length)}>
        {matches.length === 0 ? (
          <p>
            {copy.noPayout({
              amount: money(line.amountMinor, line.currency),
              day: day(line.day),
            })}
          </p>
        ) : (
          <LikelyList line={line} likely={matches} />
        )}
      </Section>
      {matches.length > 0 && (
        <Section id="bookings" heading={copy.bookings}>
          <Records caption={copy.items} columns={itemColumns(property)} rows={items} />
          <CsvLink path={pathOf('bank-line', { property: property.id, ...typed })} of={copy.file} />
        </Section>
      )}
      {others.length > 0 && (
        <Section id="others" heading={matches.length > 0 ? copy.others : copy.possible}>
          <LikelyList line={line} likely={others} />
        </Section>
      )}
    </>
  );
}

function foundCopy(matches: number): string {
  if (matches === 0) return copy.nothing;
  return matches === 1 ? copy.itIs : copy.oneOf({ number: String(matches) });
}

function LikelyList({ line, likely }: Readonly<{ line: BankLine; likely: readonly Likely[] }>) {
  const { property } = useViewed();
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
