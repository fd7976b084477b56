/**
 * One valid request for every operation behind an access token: the example of the OpenAPI document, of what the tests
 * have. The access tests walk the document and fail for an operation that has no sample here, so that none is forgotten.
 */
import requests from '../../examples/requests.json' with { type: 'json' };
import { filledIn } from '../../src/api/openApi/blanks.ts';

/** What another property's client gets when it names what is not its own. */
type Foreign =
  /** 404, exactly as if it did not exist. */
  | 'not-found'
  /** The request makes or changes the caller's own thing; the other property's stays as it is. */
  | 'separate'
  /** 422 that names the code, which the caller's own property does not have. */
  | 'unknown-code'
  /** Administrators belong to no property. */
  | 'no-property';

/** What samples refer to: a booking with one charge on a card, and an application. */
export interface Existing {
  /** A pre-authorization. */
  readonly holdId: number;
  /** A scheduled charge. */
  readonly scheduleId: number;
  readonly property: string;
  readonly reference: string;
  readonly chargeId: number;
  readonly cardToken: string;
  readonly applicationNumber: string;
  readonly disbursementId: string;
  /** A dispute that waits for an answer, of another booking. */
  readonly disputeId: string;
  readonly endpointId: string;
  readonly reportId: string;
}

type Body = Readonly<Record<string, unknown>>;

export interface Sample {
  readonly body: (existing: Existing) => Body;
  readonly foreign: Foreign;
}

/** What the examples name, and what of the tests it is. */
function namesOf(existing: Existing): ReadonlyMap<unknown, unknown> {
  return new Map<unknown, unknown>([
    ['EXAMPLE-1001', existing.reference],
    ['example-hotel', existing.property],
    [371_022_640_840_704, existing.chargeId],
    ['whe_0192f3c4a5b67c8d9e0f1a2b3c4d5e6f', existing.endpointId],
    ['APP-7K3M0QZ94T', existing.applicationNumber],
    ['sandbox-demo-2027-02-14', existing.disbursementId],
    ['sandbox_be3697b0d1570a4eb0ddd7aa', existing.disputeId],
    ['5f0c6f4e-3d0b-4f6a-9a52-0d5f9c1a7b3e', existing.reportId],
  ]);
}

/** Operations that make a property of their own, and move its clock. */
const OF_NEW_PROPERTY = /property\/put$|sandbox\/v1\/clock/;

function exampleOf(path: string): Body {
  const { [path]: example }: Readonly<Record<string, object>> = requests;
  return JSON.parse(filledIn(JSON.stringify(example), '', Date.now())) as Body;
}

function bodyOf(path: string, existing: Existing): Body {
  const names = namesOf(existing);
  const example = Object.entries(exampleOf(path));
  const body = Object.fromEntries(
    example.map(([name, value]) => [
      name,
      OF_NEW_PROPERTY.test(path) ? value : (names.get(value) ?? value),
    ]),
  );
  return { ...body, ...changed[path]?.(existing) };
}

/** Members in place of an example's: of another payment, of an endpoint that is there, a message that changes something. */
const changed: Readonly<Record<string, (existing: Existing) => Body>> = {
  '/payment/v1/charge-pre-auth': ({ holdId }) => ({ chargeId: holdId }),
  '/payment/v1/cancel-pre-auth': ({ holdId }) => ({ chargeId: holdId }),
  '/payment/v1/cancel-schedule': ({ scheduleId }) => ({ chargeId: scheduleId }),
  '/webhook/v1/put': ({ endpointId }) => ({ endpointId, active: false }),
  '/admin/v1/client/put': () => ({ clientId: 'demo-engine' }),
  '/sandbox/v1/act': () => ({ amount: 1 }),
  '/pms/v1/message': (existing) => bodyOf('/rooms/v1/push', existing),
};

const SEPARATE = new Set([
  '/application/v1/list',
  '/bank-statement/v1/import',
  '/bank-statement/v1/list',
  '/booking/v1/create/manage-payments',
  '/booking/v1/list',
  '/card/v1/virtual/list',
  '/disbursement/v1/get-all',
  '/payment/v1/list',
  '/ping/v1',
  '/pms-ledger/v1/compare',
  '/property-info/v1/get',
  '/webhook/v1/list',
]);

/** Operations without an access token. */
const OPEN = new Set(['/auth/v1/token', '/gateway/v1/stripe']);

function foreignOf(path: string): Foreign {
  if (/^\/(?:admin|sandbox)\//.test(path)) return 'no-property';
  if (SEPARATE.has(path)) return 'separate';
  return /^\/(?:pms|rates|rooms)\//.test(path) ? 'unknown-code' : 'not-found';
}

export const samples: Readonly<Record<string, Sample>> = Object.fromEntries(
  Object.keys(requests)
    .filter((path) => !OPEN.has(path))
    .map((path) => [
      path,
      { body: (existing: Existing) => bodyOf(path, existing), foreign: foreignOf(path) },
    ]),
);

/** The same of operations that are asked by `GET`: the members of their queries. */
export const queries: Readonly<Record<string, Sample>> = {
  '/dispute/v1/evidence.pdf': {
    body: ({ disputeId }) => ({ disputeId }),
    foreign: 'not-found',
  },
};

/** The fields of every form, valid ones of a booking, and an attempt that no other form has. */
export function formOf({
  cardToken,
  chargeId,
}: Pick<Existing, 'cardToken' | 'chargeId'>): Record<string, string> {
  return {
    attempt: crypto.randomUUID(),
    card: cardToken,
    amount: '1',
    requestedMinor: '100',
    agreedMinor: '103',
    agreed: 'saved-2 en',
    cardNumber: '4242424242424242',
    cardExpiry: '12/30',
    cvv: '123',
    cardHolderName: 'A Nguyen',
    confirmationToken: 'ctoken_1',
    clientId: 'demo-admin',
    clientSecret: 'wrong',
    messageId: '01998f00-0000-7000-8000-000000000000',
    exceptionId: '01998f00-0000-7000-8000-000000000000',
    property: 'nowhere',
    reason: 'sample',
    chargeId: String(chargeId),
  };
}
