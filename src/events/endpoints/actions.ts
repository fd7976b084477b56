import { z } from '@hono/zod-openapi';
import { v7 as timeOrderedUuid } from 'uuid';
import { failure, fieldFailure } from '../../core/failure.ts';
import { andThen, err, ok, type Result } from '../../core/result.ts';
import { DAY_MS, offsetTimestamp } from '../../core/time.ts';
import type { Sending } from '../../delivery/post.ts';
import type { Answered } from '../../operation/idempotency.ts';
import { refusal } from '../../operation/reply.ts';
import { type SecretWork, saveSecret } from '../../operation/secretAnswers.ts';
import type { Database } from '../../platform/db/database.ts';
import { violatesNotNull } from '../../platform/db/errors.ts';
import { pageFound } from '../../platform/db/narrow.ts';
import { type Page, type Part, pagesOf, shownPage } from '../../platform/db/page.ts';
import { appendChange, type ChangedBy, type SettingsChange } from '../../records/audit/changes.ts';
import { readOfProperty } from '../../records/properties/read.ts';
import {
  type WebhookDeliveryRow,
  type WebhookEndpointRow,
  webhookEndpoints,
} from '../../schema/eventTables.ts';
import { isConfirmed, sendEvent, statusOf } from '../delivery/send.ts';
import { EVENT_NOT_FOUND } from '../list.ts';
import { selectEvent } from '../store.ts';
import { newSigningSecret, sealSecret } from './secrets.ts';
import {
  alignDeliveries,
  areOf,
  deleteEndpoint,
  dismissDeliveries,
  holdDeliveries,
  insertEndpoint,
  type ListedDelivery,
  listActiveEndpoints,
  type ReplayOf,
  replayEvents,
  rotateSecret,
  selectDeliveries,
  selectEndpoint,
  updateEndpoint,
} from './store.ts';
import {
  type EndpointView,
  endpointView,
  type keptEndpointSchema,
  type listedDeliverySchema,
  listedDeliveryView,
} from './views.ts';

/** How many endpoints a property may have: every event is written once more for each. */
const MOST_ENDPOINTS = 20;

/** How long the secret before a rotation signs too. */
const ROTATION_MS = DAY_MS;

export interface AtProperty {
  readonly id: string;
  readonly timeZone: string;
  /** By the property's clock. */
  readonly nowMs: number;
}

/** The settings of an endpoint. What is left out keeps its value; a new endpoint needs its address. */
export interface EndpointSettings {
  readonly endpointId?: string | undefined;
  readonly url?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly active: boolean;
}

type KeptEndpoint = { readonly endpoint: z.infer<typeof keptEndpointSchema> };

/** Makes an endpoint, or changes one (interface: Webhook endpoints). */
export async function putEndpoint(
  work: SecretWork,
  property: AtProperty,
  settings: EndpointSettings,
): Promise<Answered<KeptEndpoint>> {
  const { endpointId } = settings;
  return endpointId === undefined
    ? makeEndpoint(work, property, settings)
    : changeEndpoint(work, property, endpointId, settings);
}

async function makeEndpoint(
  work: SecretWork,
  property: AtProperty,
  { active, types = ['*'], url }: EndpointSettings,
): Promise<Answered<KeptEndpoint>> {
  if (url === undefined) return refusal(work, URL_NEEDED);
  const { keyring, nowMs } = work;
  const id = `whe_${timeOrderedUuid().replaceAll('-', '')}`;
  const secret = newSigningSecret();
  const row: WebhookEndpointRow = {
    id,
    propertyId: property.id,
    url,
    types,
    active,
    secretSealed: await sealSecret(keyring, id, secret),
    previousSecretSealed: null,
    previousUntilMs: null,
    version: 1,
    createdAtMs: nowMs,
    deletedAtMs: null,
  };
  try {
    return await saveSecret(work, {
      span: 'd1.endpoint.save',
      save: [
        insertEndpoint(row, MOST_ENDPOINTS),
        listActiveEndpoints(id),
        ...changeOf(work, property, id, { before: null, after: settingsOf(row) }),
      ],
      answer: { endpoint: { ...endpointView(row), secret } },
    });
  } catch (error) {
    if (violatesNotNull(error, 'webhook_endpoints.property_id')) return refusal(work, TOO_MANY);
    throw error;
  }
}

/** What waits for an endpoint is held while it is not active, and goes on when it is. */
async function changeEndpoint(
  work: SecretWork,
  property: AtProperty,
  endpointId: string,
  { active, types, url }: EndpointSettings,
): Promise<Answered<KeptEndpoint>> {
  const { database } = work;
  const before = await readEndpoint(database, property, endpointId);
  if (!before.ok) return refusal(work, before.error);
  const change = { active, ...(url !== undefined && { url }), ...(types && { types }) };
  const after = { ...before.value, ...change };
  return saveSecret(work, {
    span: 'd1.endpoint.save',
    save: [
      updateEndpoint(property.id, endpointId, change),
      active ? alignDeliveries(endpointId, property.nowMs) : holdDeliveries(endpointId),
      listActiveEndpoints(endpointId),
      ...changeOf(work, property, endpointId, {
        before: settingsOf(before.value),
        after: settingsOf(after),
      }),
    ],
    answer: { endpoint: endpointView(after) },
  });
}

/** Gives an endpoint a new secret; the one before signs too for a day (interface: Webhook endpoints). */
export async function rotateEndpoint(
  work: SecretWork,
  property: AtProperty,
  endpointId: string,
): Promise<Answered<KeptEndpoint>> {
  const { database, keyring, nowMs } = work;
  const before = await readEndpoint(database, property, endpointId);
  if (!before.ok) return refusal(work, before.error);
  const secret = newSigningSecret();
  const secretSealed = await sealSecret(keyring, endpointId, secret);
  const rotated = { secretSealed, untilMs: nowMs + ROTATION_MS };
  return saveSecret(work, {
    span: 'd1.endpoint.save',
    save: [
      rotateSecret(property.id, endpointId, rotated),
      ...changeOf(work, property, endpointId, { before: null, after: { secret: 'rotated' } }),
    ],
    answer: { endpoint: { ...endpointView(before.value), secret } },
  });
}

const pages = pagesOf(webhookEndpoints, 'ascending', ['id']);

/** Lists a property's endpoints, the oldest first. One round trip. */
export async function listEndpoints(
  database: Database,
  propertyId: string,
  part: Part,
): Promise<Result<Page<EndpointView>>> {
  const selected = pages.select(areOf(propertyId), part);
  const read = await readOfProperty(database, 'd1.endpoint.read', propertyId, selected);
  return andThen(read, ({ rows }) => ok(shownPage(pages.cut(rows, part), endpointView)));
}

/** Deletes an endpoint, and dismisses what it was still to get. */
export async function removeEndpoint(
  database: Database,
  property: AtProperty,
  endpointId: string,
  by: ChangedBy,
): Promise<Result<null>> {
  const before = await readEndpoint(database, property, endpointId);
  if (!before.ok) return before;
  const [[deleted]] = await database.batch('d1.endpoint.save', [
    deleteEndpoint(property.id, endpointId, Date.now()),
    dismissDeliveries(endpointId, property.nowMs),
    listActiveEndpoints(endpointId),
    ...changeOf(by, property, endpointId, { before: settingsOf(before.value), after: {} }),
  ]);
  return deleted ? ok(null) : err(ENDPOINT_NOT_FOUND);
}

/** Which events to replay: one, or all since a time that the endpoint's types fit. */
export type ReplayRequest = { readonly eventId: string } | { readonly fromMs: number };

/** Sends events to an endpoint again, or for the first time (interface: Replay events). Returns how many. */
export async function replayTo(
  database: Database,
  property: AtProperty,
  endpointId: string,
  which: ReplayRequest,
): Promise<Result<number>> {
  const eventId = 'eventId' in which ? which.eventId : '';
  const [[endpoint], [event]] = await database.batch('d1.endpoint.read', [
    selectEndpoint(property.id, endpointId),
    selectEvent(property.id, eventId),
  ]);
  if (!endpoint) return err(ENDPOINT_NOT_FOUND);
  if ('eventId' in which && !event) return err(EVENT_NOT_FOUND);
  const of: ReplayOf =
    'eventId' in which
      ? { number: event?.number ?? 0 }
      : { fromMs: which.fromMs, types: endpoint.types };
  const [replayed] = await database.batch('d1.endpoint.save', [
    replayEvents(endpoint, of),
    alignDeliveries(endpointId, property.nowMs, event?.number),
  ]);
  return ok(replayed.length);
}

interface DeliveriesOf {
  readonly endpointId: string;
  readonly status?: WebhookDeliveryRow['status'] | undefined;
}

/** Lists an endpoint's deliveries, the latest event first (interface: Deliveries). One round trip. */
export async function listDeliveries(
  database: Database,
  property: AtProperty,
  { endpointId, status }: DeliveriesOf,
  part: Part,
): Promise<Result<Page<z.infer<typeof listedDeliverySchema>>>> {
  const [[endpoint], ...found] = await database.batch('d1.endpoint.read', [
    selectEndpoint(property.id, endpointId),
    ...selectDeliveries(endpointId, status, part),
  ]);
  if (!endpoint) return err(ENDPOINT_NOT_FOUND);
  const page = pageFound<ListedDelivery>(found, part.limit, ({ eventNumber }) => [eventNumber]);
  return ok(shownPage(page, (row) => listedDeliveryView(row, property.timeZone)));
}

async function readEndpoint(
  database: Database,
  { id }: Pick<AtProperty, 'id'>,
  endpointId: string,
): Promise<Result<WebhookEndpointRow>> {
  const [[row]] = await database.batch('d1.endpoint.read', [selectEndpoint(id, endpointId)]);
  return row ? ok(row) : err(ENDPOINT_NOT_FOUND);
}

/** What the audit trail has of an endpoint. */
function settingsOf({ active, types, url }: WebhookEndpointRow) {
  return { url, types, active };
}

function changeOf(
  by: ChangedBy,
  { id }: Pick<AtProperty, 'id'>,
  endpointId: string,
  change: Pick<SettingsChange, 'before' | 'after'>,
) {
  return appendChange(by, { places: [id], subject: `endpoint ${endpointId}`, ...change });
}

const ENDPOINT_NOT_FOUND = failure(
  'endpoint_not_found',
  'The property has no endpoint with this id.',
);

const URL_NEEDED = fieldFailure([
  { field: 'url', code: 'required', message: 'A new endpoint needs an address.' },
]);

const TOO_MANY = failure(
  'invalid_state',
  `The property has ${MOST_ENDPOINTS} endpoints: delete one first.`,
);

/** What came of a test. */
export const trialSchema = z.object({
  confirmed: z.boolean().describe('whether the endpoint answered 2xx within 15 seconds'),
  lastStatus: z.int().nullable().describe('the HTTP status of the answer; null if there was none'),
  error: z.string().nullable().describe('why there was none'),
});

/**
 * Sends `webhook.test` to an endpoint, active or not, and waits for its answer (interface: Webhook endpoints). The event is
 * neither listed nor numbered, and not sent again.
 */
export async function testEndpoint(
  sending: Sending & { readonly database: Database },
  property: AtProperty,
  endpointId: string,
): Promise<Result<z.infer<typeof trialSchema>>> {
  const endpoint = await readEndpoint(sending.database, property, endpointId);
  if (!endpoint.ok) return endpoint;
  const exchange = await sendEvent(sending, endpoint.value, {
    eventId: `evt_test_${crypto.randomUUID()}`,
    body: {
      type: 'webhook.test',
      timestamp: offsetTimestamp(property.nowMs, property.timeZone),
      data: { property: property.id, reference: null, sequence: null },
    },
  });
  if (exchange === null) {
    const error = "the endpoint's secret can no longer be decrypted: rotate it";
    return ok({ confirmed: false, lastStatus: null, error });
  }
  const confirmed = isConfirmed(exchange);
  const error = exchange.kind === 'unreachable' ? exchange.reason : null;
  return ok({ confirmed, lastStatus: statusOf(exchange), error });
}
