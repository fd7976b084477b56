import { listPayouts, readPayout } from '../../../desk/reports/payouts.ts';
import { cursorAfter, shownPart } from '../../../http/listFields.ts';
import { csvAnswer, wantsCsv } from '../../web/csvTable.ts';
import { page } from '../../web/page.ts';
import { disbursementsPath } from '../paths.ts';
import type { PropertyRequest } from '../propertyRequest.ts';
import { refusedPage } from '../site.tsx';
import { PayoutPage, PayoutsPage } from './payoutPages.tsx';
import { itemCsv, payoutCsv } from './payoutTables.tsx';

/** How many payouts and items a page shows. */
const PAYOUTS_PER_PAGE = 25;
const ITEMS_PER_PAGE = 40;

/** How many a file has at most: the newest payouts, the first items. */
const MOST_PAYOUTS = 1_000;
const MOST_ITEMS = 10_000;

/** Shows the payouts of a property, newest first (interface: Console). */
export async function showPayouts({ c, person, property }: PropertyRequest): Promise<Response> {
  const work = { database: c.get('database'), person, property };
  const limit = wantsCsv(c) ? MOST_PAYOUTS : PAYOUTS_PER_PAGE;
  const part = shownPart('disbursements', property.id, { limit, cursor: c.req.query('after') });
  const payouts = await listPayouts(work, part);
  if (!payouts.ok) return refusedPage(c, payouts.error);
  const { rows } = payouts.value;
  if (wantsCsv(c)) return csvAnswer(c, `disbursements-${property.id}`, payoutCsv, rows);
  const cursor = cursorAfter('disbursements', property.id, payouts.value);
  return page(
    c,
    200,
    <PayoutsPage
      person={person}
      property={property}
      payouts={payouts.value}
      next={cursor === null ? null : disbursementsPath(property.id, cursor)}
    />,
  );
}

/** Shows a payout down to its bookings (interface: Console). */
export async function showPayout({ c, person, property }: PropertyRequest): Promise<Response> {
  const work = { database: c.get('database'), person, property };
  const { id = '', page: typedPage = '' } = c.req.query();
  const shownPage = /^[1-9]\d{0,4}$/.test(typedPage) ? Number(typedPage) : 1;
  const range = wantsCsv(c)
    ? { limit: MOST_ITEMS, offset: 0 }
    : { limit: ITEMS_PER_PAGE, offset: (shownPage - 1) * ITEMS_PER_PAGE };
  const payout = await readPayout(work, id, range);
  if (!payout.ok) return refusedPage(c, payout.error);
  const { items, sums } = payout.value;
  if (wantsCsv(c)) return csvAnswer(c, `items-${id}`, itemCsv(property.timeZone), items);
  const number = sums.reduce((all, sum) => all + sum.number, 0);
  return page(
    c,
    200,
    <PayoutPage
      person={person}
      property={property}
      payout={payout.value}
      shownPage={shownPage}
      pages={Math.max(1, Math.ceil(number / ITEMS_PER_PAGE))}
    />,
  );
}
