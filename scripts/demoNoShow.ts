import type { DemoClient } from './demoClient.ts';
import { seeded } from './seed.ts';

const reference = 'RES-1009';

/** A guest who does not come: what the policy keeps is taken from the hold and the card, in one step. */
export async function playNoShow(client: DemoClient): Promise<void> {
  await client.authenticate('Get an access token', seeded.client);
  await client.post('Book with a cancellation policy', '/booking/v1/create/manage-payments', {
    reference,
    arrival: '14-02-2027',
    departure: '17-02-2027',
    status: 'booked',
    email: 'guest@hotel.com',
    lastName: 'Novak',
    totalCost: 600,
    firstNightCost: 200,
    cancellationPolicy: {
      rules: [
        { daysBeforeArrival: 7, time: '18:00', keep: { nothing: true } },
        { keep: { firstNight: true } },
      ],
      noShow: { percent: 80 },
      text: 'Free of charge until a week before arrival, then the first night; 80 % without notice.',
    },
  });
  await client.post('Store a card for it', '/payment/v1/tokenize', {
    reference,
    cardNumber: '4242424242424242',
    cardExpiry: '12/2030',
  });
  await client.post('Hold an amount on the card', '/payment/v1/create', {
    reference,
    amount: 200,
    preAuth: true,
    expiryTime: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const quoted = await client.post(
    'The guest does not come. Ask what that keeps; nothing happens yet',
    '/booking/v1/cancellation/quote',
    { reference, reason: 'noShow' },
  );
  await client.post(
    'Do exactly that, once: cancel, capture the hold, charge the rest',
    '/booking/v1/cancellation/apply',
    { reference, cancellationQuoteId: quoteIdOf(quoted) },
    { 'Idempotency-Key': 'no-show-RES-1009' },
  );
}

function quoteIdOf({ cancellation }: Record<string, unknown>): unknown {
  return cancellation !== null &&
    typeof cancellation === 'object' &&
    'cancellationQuoteId' in cancellation
    ? cancellation.cancellationQuoteId
    : undefined;
}
