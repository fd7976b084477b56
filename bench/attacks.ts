/** Requests with the worst forms that fit into one, ready to be sent to a running service. */
import { DAY_MS } from '../src/core/time.ts';
import type { Client } from '../test/service/client.ts';
import type { Document } from '../test/support/bodyFields.ts';
import { type Existing, samples } from '../test/support/samples.ts';
import {
  addressOf,
  type WorstForm,
  type WorstRequest,
  worstConsolePages,
  worstDates,
  worstForms,
  worstLists,
  worstSpans,
  worstTexts,
} from '../test/support/worst.ts';
import { openSessions, type Session, type Sessions, sessionOf } from './worstSetting.ts';

/** Operations that change nothing. */
const READS = /(?:list|get[^/]*|balance|transaction|status|report|preview)$/;

/** One request of the worst, ready to be sent. */
export interface Attack {
  readonly name: string;
  readonly reads: boolean;
  readonly send: () => Promise<Response>;
}

/** The worst of every operation, page and form. */
export async function attacksOn(
  url: string,
  client: Client,
  existing: Existing,
): Promise<Attack[]> {
  const served = await fetch(`${url}/openapi.json`);
  const document = (await served.json()) as Document;
  const sessions = await openSessions(url, client, existing.reference);
  const requests: WorstRequest[] = [
    ...worstDates(document),
    ...worstLists(document),
    ...worstTexts(document),
    ...worstSpans,
  ];
  const pageAt = (address: string, { cookie }: Session) => {
    const send = () => fetch(`${url}${address}`, { headers: { Cookie: cookie } });
    return { name: `GET ${address}`.slice(0, 100), reads: true, send };
  };
  const pages = [...USUAL_PAGES, ...worstConsolePages].map((path) => {
    const [page, query = ''] = path.split('?');
    return pageAt(`/console/${page}?property=demo&${query}`, sessions.console);
  });
  const operations = OPERATIONS_PAGES.map((path) => pageAt(path, sessions.ops));
  return [
    ...requests.map(({ body, name, path }) => ({
      name,
      reads: READS.test(path),
      send: () => client.post(path, body(existing), { admin: isAdmins(path) }),
    })),
    ...pages,
    ...operations,
    ...worstForms.map((worst) => ({
      name: worst.name,
      reads: false,
      send: () => sendForm(url, sessions, worst, existing),
    })),
  ];
}

const YEAR_AGO = new Date(Date.now() - 365 * DAY_MS).toISOString().slice(0, 10);

/** The console as its staff open it, and the longest report and audit that there are. */
const USUAL_PAGES: readonly string[] = [
  'property',
  'failed',
  'coming',
  'disputes',
  'differences',
  'outstanding',
  'virtual',
  'disbursements',
  'bank-statement',
  'pms-ledger',
  'report',
  'payments',
  'audit',
  'staff',
  `report?from=${YEAR_AGO}`,
  `payments?from=${YEAR_AGO}&of=taken`,
  `payments?from=${YEAR_AGO}&of=Declined`,
  `audit?from=${YEAR_AGO}`,
];

/** What administrators of the service open, of all properties. */
const OPERATIONS_PAGES: readonly string[] = [
  '/ops',
  '/ops/failed',
  '/ops/coming',
  '/ops/disputes',
  '/ops/differences',
  '/ops/disbursements',
];

/** What would play, move or archive the whole property, or take the client away. */
const WHOLE = /^\/(?:sandbox|admin\/v1\/(?:property\/move|archive|client|privacy))\//;

/** The example of every operation. */
export function samplesOf(client: Client, existing: Existing): readonly Attack[] {
  return Object.entries(samples)
    .filter(([path]) => !WHOLE.test(`${path}/`))
    .map(([path, { body }]) => ({
      name: path,
      reads: READS.test(path),
      send: () => client.post(path, body(existing), { admin: isAdmins(path) }),
    }));
}

function isAdmins(path: string): boolean {
  return /^\/(?:admin|sandbox)\//.test(path);
}

function sendForm(
  url: string,
  sessions: Sessions,
  worst: WorstForm,
  existing: Existing,
): Promise<Response> {
  const { cookie, visit } = sessionOf(sessions, worst.route);
  const form = worst.form(existing);
  const { address, method } = addressOf(worst, form, existing, visit);
  const headers = { Cookie: cookie, Origin: url };
  const init = method === 'POST' ? { method, body: new URLSearchParams(form) } : {};
  return fetch(`${url}${address}`, { ...init, headers, redirect: 'manual' });
}
