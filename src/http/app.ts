import { OpenAPIHono } from '@hono/zod-openapi';
import { routePath } from 'hono/route';
import { secureHeaders } from 'hono/secure-headers';
import { registerOperationResolve } from '../admin/resolveRoutes.ts';
import { registerAdmin } from '../admin/routes.ts';
import { registerApplications } from '../applications/routes.ts';
import { registerAudit } from '../audit/routes.ts';
import { registerBookings } from '../bookings/routes.ts';
import { registerCardRequests } from '../cardRequests/routes.ts';
import { registerCards } from '../cards/routes.ts';
import { registerTokenEndpoint } from '../clients/routes.ts';
import { readConfig } from '../config.ts';
import { failure } from '../core/failure.ts';
import { Database } from '../db/database.ts';
import { registerDisbursements } from '../disbursements/routes.ts';
import { registerEnvelope } from '../envelope/routes.ts';
import { registerExportFiles } from '../exports/fileRoutes.ts';
import { registerExports } from '../exports/routes.ts';
import { registerSandbox } from '../gateways/sandbox/routes.ts';
import { registerGuestPages } from '../guest/routes.tsx';
import { failurePage, GUEST_PATH, unknownLink } from '../guest/site.tsx';
import { type Cost, Crossings } from '../io/crossings.ts';
import { logNotice } from '../io/log.ts';
import { countRequest } from '../io/metrics.ts';
import { registerLocalMailbox } from '../mail/routes.tsx';
import { registerStripeNotices } from '../notices/routes.ts';
import { registerOps } from '../ops/routes.tsx';
import { isOpsPath, opsFailurePage } from '../ops/site.tsx';
import { registerOutbox } from '../outbox/routes.ts';
import { registerPayments } from '../payments/routes.ts';
import { registerPms } from '../pms/routes.ts';
import { registerRefunds } from '../refunds/routes.ts';
import type { AppContext, AppEnv } from './context.ts';
import { registerDocs } from './docs.ts';
import { registerHealth } from './health.ts';
import type { Api } from './operation.ts';
import { problemResponse } from './problem.ts';
import { ratePolicy } from './rate.ts';
import { serverTiming } from './timing.ts';
import { unforeseen } from './unforeseen.ts';

/** Without those that only Flash and browsers long gone would heed. */
const SECURE_HEADERS = secureHeaders({
  xFrameOptions: 'DENY',
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Puts the whole HTTP interface together. */
export function createApp(): Api {
  const api: Api = new OpenAPIHono<AppEnv>();
  api.use(SECURE_HEADERS);
  api.use(async (c, next) => {
    begin(c);
    await next();
    finish(c);
  });
  api.use(async (c, next) => {
    const config = await readConfig(c.env);
    if (!config.ok) return notConfigured(c, config.error);
    if (config.value.local && !isLoopback(c.req.url)) {
      return notConfigured(c, 'Local mode serves loopback addresses only.');
    }
    c.set('config', config.value);
    return next();
  });

  registerTokenEndpoint(api);
  registerBookings(api);
  registerCards(api);
  registerCardRequests(api);
  registerPayments(api);
  registerRefunds(api);
  registerEnvelope(api);
  registerApplications(api);
  registerAdmin(api);
  registerAudit(api);
  registerOperationResolve(api);
  registerOutbox(api);
  registerPms(api);
  registerExports(api);
  registerExportFiles(api);
  registerDisbursements(api);
  registerStripeNotices(api);
  registerSandbox(api);
  registerGuestPages(api);
  registerOps(api);
  registerLocalMailbox(api);
  registerHealth(api);
  registerDocs(api);

  api.notFound((c) => (c.req.path.startsWith(GUEST_PATH) ? unknownLink(c) : noSuchRoute(api, c)));
  api.onError((error, c) => {
    const failure = unforeseen(c, error);
    if (c.req.path.startsWith(GUEST_PATH)) return failurePage(c, failure);
    if (isOpsPath(c.req.path)) return opsFailurePage(c, failure);
    return problemResponse(c, failure, { requestId: c.get('requestId') });
  });
  return api;
}

function begin(c: AppContext): void {
  const crossings = new Crossings();
  c.set('requestId', crypto.randomUUID());
  c.set('startedMs', Date.now());
  c.set('crossings', crossings);
  c.set('database', new Database(c.env.DB, crossings));
}

function finish(c: AppContext): void {
  const cost = c.get('crossings').cost();
  const ms = Date.now() - c.get('startedMs');
  const { headers } = c.res;
  headers.set('X-Request-Id', c.get('requestId'));
  headers.set('RateLimit-Policy', ratePolicy(c));
  headers.set('Server-Timing', serverTiming(cost, ms));
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  count(c, cost, ms);
}

function count(c: AppContext, cost: Cost, ms: number): void {
  countRequest(c.env.METRICS, {
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    code: c.get('refusal') ?? null,
    property: c.get('property') ?? null,
    cost,
    ms,
  });
}

/** As a client writes the address that `npm start` names; whoever writes the same host in another way is refused. */
function isLoopback(url: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\//.test(url);
}

function notConfigured(c: AppContext, reason: string): Response {
  logNotice('not_configured', { requestId: c.get('requestId'), reason });
  return problemResponse(c, failure('not_configured', reason), { requestId: c.get('requestId') });
}

/** 405 where the path exists under another method, else 404. */
function noSuchRoute(api: Api, c: AppContext): Response {
  const requestId = c.get('requestId');
  const allowed = new Set(
    api.routes
      .filter((route) => route.path === c.req.path && route.method !== 'ALL')
      .map((route) => route.method),
  );
  if (allowed.has('GET')) allowed.add('HEAD');
  if (allowed.size === 0) {
    return problemResponse(c, failure('not_found', 'There is nothing at this address.'), {
      requestId,
    });
  }
  const methods = [...allowed].join(', ');
  return problemResponse(c, failure('method_not_allowed', `Use ${methods}.`), {
    requestId,
    headers: { Allow: methods },
  });
}
