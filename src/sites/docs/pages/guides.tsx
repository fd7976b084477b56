import type { Child } from 'hono/jsx';
import { failures } from '../../../core/failure.ts';
import { wordFor } from '../../../core/words/staff.ts';
import { words } from '../../../desk/words.ts';
import type { OpenApiDocument } from '../../../http/openApiDocument.ts';
import { Records } from '../../web/table.tsx';
import { command } from '../command.ts';
import { bodyOf, entriesOf } from '../document.ts';
import { Lines, Prose, ProseLine } from './layout.tsx';

export interface GuideSource {
  readonly document: OpenApiDocument;
  readonly testCards: readonly { readonly number: string; readonly what: string }[];
}

/** A page that is read before the reference. */
export interface Guide {
  readonly page: string;
  readonly title: string;
  readonly content: (source: GuideSource) => Child;
}

/** The first charge and what follows it: the operations in their order, with what replaces their example. */
const FIRST_CHARGE: readonly (readonly [path: string, text: string, body?: object])[] = [
  ['/booking/v1/create/manage-payments', 'Tell the booking. Sending it again changes it.'],
  ['/payment/v1/tokenize', 'Give it a card. The answer has its `token` and no number.'],
  [
    '/payment/v1/create',
    'Charge it. With an `Idempotency-Key`, a request that is sent twice charges once.',
  ],
  ['/payment/v1/schedule', 'Charge the rest later. `limitToDue` never takes more than is due.'],
  ['/payment/v1/transaction', 'See what was paid, and what will be.'],
  [
    '/refund/v1/create',
    'Give some of it back. Without `chargeId`, the service chooses the charge.',
    { reference: 'EXAMPLE-1001', amount: 50 },
  ],
  ['/booking/v1/get-url', 'Or let the guest pay: this is the address of their payment page.'],
];

/** The requests of the guide to the first charge, in their order. */
export function firstChargeSteps(document: OpenApiDocument) {
  const entries = entriesOf(document);
  return FIRST_CHARGE.flatMap(([path, text, body]) => {
    const entry = entries.find(({ name }) => name === path);
    return entry ? [{ entry, text, body: body ?? bodyOf(entry.operation)?.example }] : [];
  });
}

function FirstCharge({ document }: GuideSource) {
  const url = document.servers[0]?.url ?? '';
  return (
    <>
      <section>
        <ProseLine text="Get an access token with your client's id and secret, here `CLIENT=<id>:<secret>`. It is valid for an hour. `npm start` prints those of a client." />
        <Lines
          name="Get an access token"
          text={`TOKEN=$(curl -sS -u "$CLIENT" -d grant_type=client_credentials \\\n  ${url}/auth/v1/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`}
        />
      </section>
      {firstChargeSteps(document).map(({ body, entry, text }) => (
        <section>
          <h2>
            <a href={entry.page}>{entry.operation.summary ?? entry.name}</a>
          </h2>
          <ProseLine text={text} />
          <Lines name={entry.name} text={command(entry, url, body)} />
        </section>
      ))}
      <section>
        <p>
          <Prose text="A decline is `402` with `declineCode`; a `504` is not known yet: do not charge again, the service finds it out. Try both with the " />
          <a href="/docs/guides/test-cards">test cards</a>.
        </p>
      </section>
    </>
  );
}

function Steps({ steps }: { readonly steps: readonly string[] }) {
  return (
    <section>
      <ol>
        {steps.map((step) => (
          <li>
            <Prose text={step} />
          </li>
        ))}
      </ol>
    </section>
  );
}

const GOING_LIVE = [
  'Deploy with `GATEWAY=stripe`, `PUBLIC_BASE_URL`, `MAIL_FROM` and a `KEYRING` of your own. `npm run setup` asks for each and says what is missing.',
  'Add the webhook endpoint `/gateway/v1/stripe` at Stripe: it tells of refunds that fail, disputes and payouts.',
  'Make the property: `/admin/v1/property/put` with its currency, time zone, contact, and the address and credentials of its PMS.',
  'Make a client with the scopes that it needs and no others: `/admin/v1/client/create`. The secret is shown once.',
  'Make its people: `/admin/v1/user/put`. They sign in at `/console` by a mailed link or a passkey.',
  'Subscribe to events: `/webhook/v1/put`.',
  'Send an `Idempotency-Key` with every request that moves money, and send the same key again after a `503`, a `504` or a broken connection.',
  'Charge a real card with a small amount, and refund it: `/payment/v1/create`, `/refund/v1/create`. Both must reach the PMS: `/admin/v1/outbox/list`.',
  'Watch `/health`, and `/ops` when it says that something is late or dead.',
];

const WEBHOOKS = [
  'Make an endpoint: `/webhook/v1/put` with its `url` and the `types` that it wants, such as `payment.*`. The answer has its `secret`, once.',
  'Verify each delivery with a library for Standard Webhooks: the secret, the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, and the body as it came, byte by byte.',
  'Write the event down, then answer with any `2xx`, within 15 seconds. Anything else is sent again, for about three days.',
  'Events come at least once. Of a booking, `sequence` counts 1, 2, 3 …: leave out what is not above the last one.',
  'If one is missing, or you were away, read `/event/v1/list`: it has the same events in the order in which they were recorded. `/webhook/v1/replay` sends failed deliveries again.',
];

function Webhooks() {
  return (
    <>
      <Steps steps={WEBHOOKS} />
      <section>
        <h2>Without a library</h2>
        <ProseLine text="The signature is HMAC-SHA-256 with the decoded secret (base64 after `whsec_`). Refuse a timestamp that is more than five minutes away." />
        <Lines name="Verify a delivery in Python" text={VERIFY} />
      </section>
    </>
  );
}

const VERIFY = `import base64, hashlib, hmac

def is_signed(secret, headers, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, one) for one in headers["webhook-signature"].split())`;

function TestCards({ testCards }: GuideSource) {
  return (
    <section>
      <ProseLine text="For the sandbox, with any expiry that lies ahead and any security code. Any other valid number is declined: `invalid_number`." />
      <Records
        caption="Test cards"
        rows={testCards}
        columns={[
          { name: 'number', text: ({ number }) => number },
          { name: 'what happens', text: ({ what }) => what },
        ]}
      />
    </section>
  );
}

function DeclineCodes() {
  const { advice, adviceByDecline } = words.failed;
  return (
    <section>
      <ProseLine text="`declineCode` says why a bank declined; `retryable`, whether the same card may be tried again. Schedules are tried again by themselves. Gateways may name others: treat them like `generic_decline`." />
      <Records
        caption="Decline codes"
        rows={Object.entries(words.declines)}
        columns={[
          { name: 'code', text: ([code]) => code },
          { name: 'meaning', text: ([, meaning]) => meaning },
          { name: 'what to do', text: ([code]) => wordFor(adviceByDecline, code) ?? advice.other },
        ]}
      />
    </section>
  );
}

function Errors() {
  return (
    <section>
      <ProseLine text="An error is `application/problem+json` (RFC 9457). Decide by `code`, or by the status if you do not know the code. `errors` names every faulty field; `requestId` finds the request in the log. Send `503` again after `Retry-After`; after `504 outcome_unknown` never charge again: the same `Idempotency-Key` gives the outcome once it is known." />
      <Records
        caption="Codes"
        rows={Object.entries(failures)}
        columns={[
          { name: 'code', text: ([code]) => code },
          { name: 'status', text: ([, [status]]) => status },
          { name: 'meaning', text: ([, [, title]]) => title },
        ]}
      />
    </section>
  );
}

function guide(name: string, title: string, content: Guide['content']): Guide {
  return { page: `/docs/guides/${name}`, title, content };
}

export const guides: readonly Guide[] = [
  guide('first-charge', 'Your first charge', FirstCharge),
  guide('going-live', 'Going live', () => <Steps steps={GOING_LIVE} />),
  guide('webhooks', 'Webhooks', Webhooks),
  guide('test-cards', 'Test cards', TestCards),
  guide('decline-codes', 'Decline codes', DeclineCodes),
  guide('errors', 'Errors', Errors),
];
