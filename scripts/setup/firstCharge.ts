/** The commands of the first charge, to paste into a shell. */
import type { Credentials } from './service.ts';

/** What the commands depend on. */
export interface FirstCharge {
  readonly address: string;
  /** A new client, whose secret is shown here only; null for one that exists. */
  readonly client: Credentials | null;
  readonly gateway: 'sandbox' | 'stripe';
  readonly today: Date;
}

const HEAD = `base={address}
token=$(curl -sS -u {client} -d grant_type=client_credentials $base/auth/v1/token |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
post() { curl -sS "$base$1" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d "$2"; echo; }
post /booking/v1/create/manage-payments '{"reference":"FIRST","status":"booked","arrival":"{arrival}",
  "departure":"{departure}","email":"you@hotel.com","lastName":"You","totalCost":1,"firstNightCost":1}'`;

const SANDBOX_CARD = `post /payment/v1/tokenize '{"reference":"FIRST","cardNumber":"4242424242424242","cardExpiry":"12/{year}",
  "cvv":"123"}'
post /payment/v1/create '{"reference":"FIRST","amount":1}'`;

/** Stripe lets few accounts send card numbers, so the card goes in on the guest's page. */
const STRIPE_CARD = `post /booking/v1/get-url '{"reference":"FIRST"}'`;

const STRIPE_CHARGE = `post /payment/v1/create '{"reference":"FIRST","amount":1}'
post /refund/v1/create '{"reference":"FIRST","amount":1}'`;

const DAY_MS = 86_400_000;

/** The text that ends the set-up. */
export function firstChargeText({ address, client, gateway, today }: FirstCharge): string {
  const arrival = new Date(today.getTime() + 30 * DAY_MS);
  const filled = (commands: string) =>
    commands
      .replace('{address}', address)
      .replace(
        '{client}',
        client === null ? '<client id>:<secret>' : `${client.id}:${client.secret}`,
      )
      .replace('{arrival}', dayMonthYear(arrival))
      .replace('{departure}', dayMonthYear(new Date(arrival.getTime() + 3 * DAY_MS)))
      .replace('{year}', String(arrival.getUTCFullYear() + 3));
  const ready = `
Ready at ${address}   (API: ${address}/docs, operations: ${address}/ops)
${client === null ? '' : '\nKeep the secret of the new API client, after -u and its id: it is not shown again.\n'}`;
  if (gateway === 'sandbox') {
    return `${ready}
A first charge, in the sandbox, which takes no real money:

${filled(`${HEAD}\n${SANDBOX_CARD}`)}
`;
  }
  return `${ready}
A first charge. Open the address that the last command prints, and add your card:

${filled(`${HEAD}\n${STRIPE_CARD}`)}

Then charge it, and refund it:

${STRIPE_CHARGE}
`;
}

function dayMonthYear(day: Date): string {
  return day.toISOString().slice(0, 10).split('-').toReversed().join('-');
}
