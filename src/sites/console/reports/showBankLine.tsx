import { localDate } from '../../../core/time.ts';
import { recogniseBankLine } from '../../../desk/reports/payouts.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { csvAnswer, wantsCsv } from '../../web/csvTable.ts';
import { page } from '../../web/page.ts';
import { repeatable } from '../../web/repeatable.ts';
import type { PropertyRequest } from '../propertyRequest.ts';
import { BankLinePage } from './bankLinePage.tsx';
import { itemColumns } from './payoutPages.tsx';
import { readBankLine } from './readBankLine.ts';

/** How many items of the payouts that are a line the page shows, and the file has. */
const ITEMS_SHOWN = 40;
const MOST_ITEMS = 10_000;

/** Shows what a line of a bank statement is: its payout, and the bookings in it (interface: Console). */
export async function showBankLine({ c, person, property }: PropertyRequest): Promise<Response> {
  const { amount = '', currency = '', day = '', days = '' } = c.req.query();
  const typed = { amount: repeatable(amount), currency: repeatable(currency), day, days };
  const common = { person, property, typed };
  if (amount === '') {
    return page(c, 200, <BankLinePage {...common} errors={{}} answered={null} />);
  }
  const today = localDate(propertyNow(property), property.timeZone);
  const line = readBankLine(typed, property.currency, today);
  if (!line.ok) {
    return page(c, 422, <BankLinePage {...common} errors={line.error} answered={null} />);
  }
  const limit = wantsCsv(c) ? MOST_ITEMS : ITEMS_SHOWN;
  const recognised = await recogniseBankLine(c.get('database'), property, line.value, limit);
  if (wantsCsv(c)) {
    return csvAnswer(c, `bank-line-${line.value.day}`, itemColumns(property), recognised.items);
  }
  const answered = { line: line.value, recognised };
  return page(c, 200, <BankLinePage {...common} errors={{}} answered={answered} />);
}
