import { serveAsset } from '../../http/assets.ts';
import type { Api } from '../../http/operation.ts';
import { registerBookingPages } from './bookingPages.tsx';
import { registerLanguage } from './languageRoutes.ts';
import { registerRequestPages } from './requestPages.tsx';
import { GUEST_PATH, guestSite } from './site.tsx';

/** Registers the guest's pages: the payment page, the page that takes a requested card, and their assets. */
export function registerGuestPages(api: Api): void {
  api.use(`${GUEST_PATH}*`, guestSite);
  registerBookingPages(api);
  registerRequestPages(api);
  registerLanguage(api);
  api.get('/guest/:file', serveAsset);
}
