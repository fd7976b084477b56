import { serveAsset } from '../http/assets.ts';
import type { Api } from '../http/operation.ts';
import { registerBookingPages } from './bookingPages.tsx';
import { registerRequestPages } from './requestPages.tsx';
import { GUEST_PATH, guestSite } from './site.tsx';

/** Everything that a guest sees: the payment page, the page that takes a card, and their style. */
export function registerGuestPages(api: Api): void {
  api.use(`${GUEST_PATH}*`, guestSite);
  registerBookingPages(api);
  registerRequestPages(api);
  api.get('/guest/:file', serveAsset);
}
