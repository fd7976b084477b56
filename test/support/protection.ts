/** Every route with what protects it. */

/** What stands between a route and whoever calls it without anything. */
export type Protection =
  /** Client id and secret. */
  | 'client secret'
  /** A user's name and password. */
  | 'basic'
  /** What Stripe signs with. */
  | 'signature'
  /** A sealed link from a message. */
  | 'link'
  /** An address that only the cardholder has, and that nobody can guess. */
  | 'secret address'
  /** A guest's cookie. */
  | 'visit'
  /** An administrator's cookie. */
  | 'session'
  /** The cookie of someone of the staff. */
  | 'desk session'
  /** A secret that was mailed to someone of the staff, or that their own device keeps. */
  | 'mailed secret'
  /** An address that leads to another one, whatever is asked for, and does nothing. */
  | 'leads away'
  /** There is nothing outside a developer's own machine. */
  | 'local only'
  /** Nobody's data stands there: it looks at no store at all. */
  | 'public'
  /** It tells how the service is, in a few fixed words. */
  | 'state';

/** Operations of the document that no access token opens. */
export const withoutToken: Readonly<Record<string, Protection>> = {
  'POST /auth/v1/token': 'client secret',
  'GET /export': 'basic',
  'GET /export/schema': 'public',
  'POST /gateway/v1/stripe': 'signature',
  'GET /health': 'state',
};

/** Routes that are no operation of the document. */
export const undocumented: Readonly<Record<string, Protection>> = {
  'GET /guest/v1/payments': 'link',
  'GET /guest/v1/payments/:visit': 'visit',
  'GET /guest/v1/payments/:visit/all': 'visit',
  'GET /guest/v1/payments/:visit/review': 'visit',
  'GET /guest/v1/payments/:visit/price': 'visit',
  'GET /guest/v1/payments/:visit/cancel': 'visit',
  'POST /guest/v1/payments/:visit/cancel': 'visit',
  'GET /guest/v1/payments/:visit/plan': 'visit',
  'POST /guest/v1/payments/:visit/plan': 'visit',
  'POST /guest/v1/payments/:visit/pay': 'visit',
  'GET /guest/v1/payments/:visit/pay': 'visit',
  'GET /guest/v1/payments/:visit/receipt/:chargeId': 'visit',
  'POST /guest/v1/payments/:visit/receipt/:chargeId/cancel': 'visit',
  'GET /guest/v1/payments/:visit/card': 'visit',
  'POST /guest/v1/payments/:visit/card': 'visit',
  'GET /guest/v1/payments/:visit/card/confirmed': 'visit',
  'GET /guest/v1/payments/:visit/remove': 'visit',
  'POST /guest/v1/payments/:visit/remove': 'visit',
  'GET /guest/v1/card': 'link',
  'GET /guest/v1/card/:visit': 'visit',
  'POST /guest/v1/card/:visit': 'visit',
  'GET /guest/v1/card/:visit/confirmed': 'visit',
  'GET /bank/v1/:step': 'secret address',
  'POST /bank/v1/:step': 'secret address',
  'POST /guest/v1/language': 'leads away',
  'POST /guest/v1/new-link': 'link',
  'GET /guest/theme/:colour': 'public',
  'GET /guest/:file': 'public',
  'GET /ops': 'session',
  'GET /ops/ops.css': 'public',
  'GET /ops/ops.js': 'public',
  'POST /ops/sign-in': 'client secret',
  'POST /ops/sign-out': 'leads away',
  'POST /ops/outbox/replay': 'session',
  'POST /ops/outbox/replay-all': 'session',
  'GET /ops/outbox/dismiss': 'session',
  'POST /ops/outbox/dismiss': 'session',
  'POST /ops/reconciliation/accept': 'session',
  'GET /ops/failed': 'session',
  'GET /ops/coming': 'session',
  'GET /ops/disputes': 'session',
  'GET /ops/differences': 'session',
  'GET /ops/disbursements': 'session',
  'GET /ops/*': 'leads away',
  'GET /console': 'desk session',
  'GET /console/property': 'desk session',
  'GET /console/booking': 'desk session',
  'GET /console/form': 'desk session',
  'GET /console/confirm': 'desk session',
  'GET /console/link': 'desk session',
  'GET /console/report': 'desk session',
  'GET /console/outstanding': 'desk session',
  'GET /console/virtual': 'desk session',
  'GET /console/staff': 'desk session',
  'POST /console/staff': 'desk session',
  'GET /console/audit': 'desk session',
  'GET /console/disbursements': 'desk session',
  'GET /console/disbursement': 'desk session',
  'GET /console/bank-line': 'desk session',
  'GET /console/bank-statement': 'desk session',
  'POST /console/bank-statement': 'desk session',
  'GET /console/payments': 'desk session',
  'GET /console/pms-ledger': 'desk session',
  'POST /console/pms-ledger': 'desk session',
  'POST /console/pms-ledger-repair': 'desk session',
  'POST /console/do': 'desk session',
  'GET /console/failed': 'desk session',
  'GET /console/coming': 'desk session',
  'GET /console/disputes': 'desk session',
  'GET /console/dispute': 'desk session',
  'POST /console/dispute': 'desk session',
  'GET /console/evidence.pdf': 'desk session',
  'GET /console/differences': 'desk session',
  'GET /console/accept': 'desk session',
  'POST /console/accept': 'desk session',
  'GET /console/me': 'desk session',
  'POST /console/me/end': 'desk session',
  'POST /console/me/add-passkey': 'desk session',
  'POST /console/me/remove-passkey': 'desk session',
  'GET /console/console.css': 'public',
  'GET /console/console.js': 'public',
  'POST /console/language': 'leads away',
  'POST /console/sign-in': 'mailed secret',
  'POST /console/passkey': 'mailed secret',
  'GET /console/enter/:secret': 'mailed secret',
  'POST /console/enter/:secret': 'mailed secret',
  'POST /console/sign-out': 'leads away',
  'GET /dev/kit': 'local only',
  'GET /dev/mailbox': 'local only',
  'GET /dev/mailbox/:id': 'local only',
  'GET /': 'public',
  'GET /openapi.json': 'public',
  'GET /docs': 'public',
  'GET /docs/operations/*': 'public',
  'GET /docs/messages/:name': 'public',
  'GET /docs/guides/:name': 'public',
  'GET /docs/:file': 'public',
};
