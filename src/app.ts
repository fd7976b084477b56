import { OpenAPIHono } from '@hono/zod-openapi';
import { routePath } from 'hono/route';
import { secureHeaders } from 'hono/secure-headers';
import { registerClients } from './api/admin/clientRoutes.ts';
import { registerDatabases } from './api/admin/databaseRoutes.ts';
import { registerFeeRules } from './api/admin/feeRuleRoutes.ts';
import { registerArchive, registerPersonalData, registerPrivacy } from './api/admin/lifeRoutes.ts';
import {
  registerAudit,
  registerKeyring,
  registerMails,
  registerOperationResolve,
  registerPmsOperations,
} from './api/admin/operationRoutes.ts';
import { registerProperties } from './api/admin/routes.ts';
import { registerUsers } from './api/admin/userRoutes.ts';
import { registerApplications } from './api/applications/routes.ts';
import { registerTokenEndpoint } from './api/auth/routes.ts';
import { registerBankStatements } from './api/bankStatements/routes.ts';
import { registerCancellation } from './api/bookings/cancellationRoutes.ts';
import { registerBookings } from './api/bookings/routes.ts';
import { registerCards } from './api/cards/routes.ts';
import { registerDisbursements } from './api/disbursements/routes.ts';
import { registerDisputeAnswers } from './api/disputes/answerRoutes.ts';
import { registerEvidencePdf } from './api/disputes/pdfRoute.ts';
import { registerDisputes } from './api/disputes/routes.ts';
import {
  registerEndpointList,
  registerEvents,
  registerWebhookDeliveries,
  registerWebhookEndpoints,
} from './api/events/routes.ts';
import { registerExportFiles } from './api/exports/fileRoutes.ts';
import { registerExports, registerExportUsers } from './api/exports/routes.ts';
import { registerOpenApi } from './api/openApi/routes.ts';
import { registerOutbox } from './api/outbox/routes.ts';
import { registerTransactionList } from './api/payments/readRoutes.ts';
import { registerPayments } from './api/payments/routes.ts';
import { registerPlans } from './api/plans/routes.ts';
import { isMessagePath } from './api/pms/endpoints.ts';
import { errorReply } from './api/pms/receive.ts';
import { registerPmsMessages } from './api/pms/routes.ts';
import { registerPmsLedger } from './api/pmsLedger/routes.ts';
import { registerReconciliation } from './api/reconciliation/routes.ts';
import { registerRefunds } from './api/refunds/routes.ts';
import { registerStripeWebhooks } from './api/webhooks/routes.ts';
import { type Failure, failure } from './core/failure.ts';
import { registerHealth } from './health.ts';
import type { AppContext, AppEnv } from './http/context.ts';
import type { Api } from './http/operation.ts';
import { routedPath } from './http/paths.ts';
import { internalError, problemResponse, routeNotFound } from './http/problem.ts';
import { ratePolicy } from './http/rate.ts';
import { readConfig } from './platform/config.ts';
import { openDatabase } from './platform/db/database.ts';
import { logWarning } from './platform/log.ts';
import { countRequest } from './platform/metrics.ts';
import { type Cost, Trace } from './platform/trace.ts';
import { describedTestCards } from './sandbox/acquirer/rules/testCards.ts';
import { registerClock } from './sandbox/api/clockRoutes.ts';
import { registerSandbox } from './sandbox/api/routes.ts';
import { bankFailurePage, isBankPath, registerBankPages } from './sandbox/bank.tsx';
import { registerKit } from './sandbox/kit.tsx';
import { registerLocalMailbox } from './sandbox/mailbox.tsx';
import { registerConsole } from './sites/console/routes.tsx';
import { notFoundPage } from './sites/console/site.tsx';
import { registerDocs } from './sites/docs/routes.tsx';
import { registerGuestPages } from './sites/guest/routes.tsx';
import { failurePage, GUEST_PATH, messagePage } from './sites/guest/site.tsx';
import { noSuchPage, readsPages, registerHome } from './sites/home/pages.tsx';
import { registerOps } from './sites/ops/routes.tsx';
import { consoleSite, staffSiteOf } from './sites/web/staffSite.tsx';

/** Leaves out the headers that only Flash and obsolete browsers use. */
const SECURE_HEADERS = secureHeaders({
  xFrameOptions: 'DENY',
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

export function createApp(): Api {
  const api: Api = new OpenAPIHono<AppEnv>({ getPath: routedPath });
  api.use(SECURE_HEADERS);
  api.use(async (c, next) => {
    startRequest(c);
    await next();
    finishRequest(c);
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
  registerCancellation(api);
  registerCards(api);
  registerPayments(api);
  registerPlans(api);
  registerTransactionList(api);
  registerRefunds(api);
  registerDisputes(api);
  registerDisputeAnswers(api);
  registerEvidencePdf(api);
  registerPmsMessages(api);
  registerPmsLedger(api);
  registerApplications(api);
  registerProperties(api);
  registerClients(api);
  registerKeyring(api);
  registerDatabases(api);
  registerFeeRules(api);
  registerUsers(api);
  registerPrivacy(api);
  registerPersonalData(api);
  registerArchive(api);
  registerAudit(api);
  registerOperationResolve(api);
  registerMails(api);
  registerEndpointList(api);
  registerOutbox(api);
  registerPmsOperations(api);
  registerReconciliation(api);
  registerExports(api);
  registerExportUsers(api);
  registerExportFiles(api);
  registerBankStatements(api);
  registerDisbursements(api);
  registerWebhookEndpoints(api);
  registerWebhookDeliveries(api);
  registerEvents(api);
  registerStripeWebhooks(api);
  registerSandbox(api);
  registerClock(api);
  registerGuestPages(api);
  registerBankPages(api);
  registerOps(api);
  registerConsole(api);
  registerLocalMailbox(api);
  registerKit(api);
  registerHome(api);
  registerHealth(api);
  registerDocs(api, registerOpenApi(api), describedTestCards());

  api.notFound((c) => {
    if (c.req.path.startsWith(GUEST_PATH)) return messagePage(c, 404, 'unknownLink');
    return staffSiteOf(c) === consoleSite ? notFoundPage(c) : noSuchRoute(api, c);
  });
  api.onError((error, c) => {
    const failure = internalError(c, error);
    if (c.req.path.startsWith(GUEST_PATH)) return failurePage(c, failure);
    const site = staffSiteOf(c);
    if (site) return site.failed(c, failure);
    if (isBankPath(c.req.path)) return bankFailurePage(c, failure);
    return refuse(c, failure);
  });
  return api;
}

function startRequest(c: AppContext): void {
  const trace = new Trace();
  c.set('requestId', crypto.randomUUID());
  c.set('startedMs', Date.now());
  c.set('trace', trace);
  c.set('database', openDatabase(c.env, trace));
}

function finishRequest(c: AppContext): void {
  const cost = c.get('trace').cost();
  const ms = Date.now() - c.get('startedMs');
  const { headers } = c.res;
  headers.set('X-Request-Id', c.get('requestId'));
  headers.set('RateLimit-Policy', ratePolicy(c));
  headers.set('Server-Timing', serverTiming(cost, ms));
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  countRequest(c.env.METRICS, {
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    code: c.get('failureCode') ?? null,
    property: c.get('property') ?? null,
    cost,
    ms,
  });
}

/** The `Server-Timing` header: calls and milliseconds of D1, the gateway and Durable Objects, and the total. */
function serverTiming(cost: Cost, totalMs: number): string {
  const { d1, gateway, object } = cost;
  return [
    `d1;desc="${d1.calls}";dur=${d1.ms}`,
    `gateway;desc="${gateway.calls}";dur=${gateway.ms}`,
    `object;desc="${object.calls}";dur=${object.ms}`,
    `total;dur=${totalMs}`,
  ].join(', ');
}

/** Whether a URL has one of the three usual loopback hosts. The platform has written `127.1` out as `127.0.0.1`. */
function isLoopback(url: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\//.test(url);
}

function notConfigured(c: AppContext, reason: string): Response {
  logWarning('not_configured', { requestId: c.get('requestId'), reason });
  return refuse(c, failure('not_configured', reason));
}

/** Answers 405 if the path exists with another method, else 404: as a page to a browser. */
function noSuchRoute(api: Api, c: AppContext): Response | Promise<Response> {
  const allowed = new Set(
    api.routes
      .filter((route) => route.path === c.req.path && route.method !== 'ALL')
      .map((route) => route.method),
  );
  if (allowed.has('GET')) allowed.add('HEAD');
  if (allowed.size === 0) {
    const isPage = readsPages(c) && !isMessagePath(c.req.path);
    return isPage ? noSuchPage(c) : refuse(c, routeNotFound());
  }
  const methods = [...allowed].join(', ');
  return refuse(c, failure('method_not_allowed', `Use ${methods}.`), { Allow: methods });
}

/** Answers a failure outside of any operation, at the paths of messages with the members of the envelope. */
function refuse(
  c: AppContext,
  failed: Failure,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return isMessagePath(c.req.path)
    ? errorReply(c, { message: null, property: null }, failed, headers)
    : problemResponse(c, failed, { headers });
}
