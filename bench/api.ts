import { seeded } from '../scripts/seed.ts';

/** The service's API for one client. */
export interface Api {
  /** The value of the `Authorization` header. */
  readonly authorization: string;
  /** Posts JSON and returns the answer. Throws for any status but 200. */
  post<T>(path: string, body: object): Promise<T>;
}

/** The service for the seeded client. */
export function openApi(service: URL): Promise<Api> {
  return openAs(service, seeded.client);
}

/** The administrator's operations, and the sandbox acquirer's ledger. */
export function openAdmin(service: URL): Promise<Api> {
  return openAs(service, seeded.admin);
}

/** Creates or changes a property, and returns the API for a new client of it. */
export async function openProperty(
  service: URL,
  property: string,
  { database, pmsUrl = null }: { readonly database?: string; readonly pmsUrl?: string | null },
): Promise<Api> {
  const admin = await openAdmin(service);
  await admin.post('/admin/v1/property/put', {
    property,
    name: property,
    site: `${property}.localhost`,
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    ...(database && { database }),
    ...(pmsUrl !== null && { pms: { url: pmsUrl, username: 'pms', password: 'pms' } }),
  });
  const { clientId: id, clientSecret: secret } = await admin.post<
    Record<'clientId' | 'clientSecret', string>
  >('/admin/v1/client/create', { property, scopes: ['bookings', 'payments', 'cards'] });
  return openAs(service, { id, secret });
}

async function openAs(service: URL, { id, secret }: { id: string; secret: string }): Promise<Api> {
  const { access_token: token } = await post<{ access_token: string }>(
    new URL('/auth/v1/token', service),
    `Basic ${btoa(`${id}:${secret}`)}`,
    { grant_type: 'client_credentials' },
  );
  const authorization = `Bearer ${token}`;
  return {
    authorization,
    post: (path, body) => post(new URL(path, service), authorization, body),
  };
}

async function post<T>(url: URL, authorization: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}
