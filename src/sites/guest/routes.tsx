import { serveAsset } from '../../http/assets.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { registerBookingPages } from './bookingPages.tsx';
import { registerLanguage } from './languageRoutes.ts';
import { registerRequestPages } from './requestPages.tsx';
import { themeOf } from './rules/theme.ts';
import { GUEST_PATH, guestSite } from './site.tsx';

const DAY_SECONDS = 24 * 60 * 60;

/** The style sheet of a property's colour. It depends on nothing else, so everybody may keep it. */
function theme(c: AppContext): Response | Promise<Response> {
  const style = themeOf(c.req.param('colour') ?? '');
  if (style === null) return c.notFound();
  return c.body(style, 200, {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': `public, max-age=${DAY_SECONDS}`,
  });
}

/** Registers the guest's pages: the payment page, the page that takes a requested card, and their assets. */
export function registerGuestPages(api: Api): void {
  api.use(`${GUEST_PATH}*`, guestSite);
  registerBookingPages(api);
  registerRequestPages(api);
  registerLanguage(api);
  api.get('/guest/theme/:colour', theme);
  api.get('/guest/:file', serveAsset);
}
