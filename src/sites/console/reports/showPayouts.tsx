import { readPayout } from '../../../desk/reports/payouts.ts';
import { cursorAfter, shownPart } from '../../../http/listFields.ts';
import { csvAnswer, wantsCsv } from '../../web/csvTable.ts';
import { page } from '../../web/page.tsx';
import { payoutsPage } from '../lists/payouts.tsx';
import { showLists } from '../lists/routes.tsx';
import type { PropertyRequest } from '../propertyRequest.ts';
import { refusedPage } from '../site.tsx';
import { itemColumns, PayoutPage, PayoutTabs } from './payoutPages.tsx';

/** How many items of a payout a page shows, and a file has at most. */
const SHOWN = 40;
const MOST_IN_FILE = 10_000;

/** Shows the payouts of a property, newest first (interface: Console). */
export function showPayouts(request: PropertyRequest): Promise<Response> {
  const before = <PayoutTabs property={request.property} current="list" />;
  return showLists(request, payoutsPage, { before });
}

/** Shows a payout down to its bookings (interface: Console). */
export async function showPayout({ c, person, property }: PropertyRequest): Promise<Response> {
  const { after = '', id = '' } = c.req.query();
  const limit = wantsCsv(c) ? MOST_IN_FILE : SHOWN;
  const part = shownPart('payoutItems', id, { limit, cursor: after });
  const payout = await readPayout(c.get('database'), property, id, part);
  if (!payout.ok) return refusedPage(c, payout.error);
  const { items } = payout.value;
  if (wantsCsv(c)) return csvAnswer(c, `items-${id}`, itemColumns(property), items.rows);
  return page(
    c,
    200,
    <PayoutPage
      person={person}
      property={property}
      payout={payout.value}
      cursor={after}
      next={cursorAfter('payoutItems', id, items)}
    />,
  );
}
