/** The main job by openapi-fetch with the types of openapi-typescript: token, booking, card, charge, refund, list. */
import createClient from 'openapi-fetch';
import { booking, card, expectEqual, grant } from './job.ts';
import type { paths } from './openApiTypes.ts';

const [, , baseUrl = ''] = process.argv;
const reference = 'OPENAPI-FETCH-1';

const token = await createClient<paths>({ baseUrl }).POST('/auth/v1/token', { body: grant });
const client = createClient<paths>({
  baseUrl,
  headers: { Authorization: `Bearer ${token.data?.access_token}` },
});
const saved = await client.POST('/booking/v1/create/manage-payments', { body: booking(reference) });
expectEqual(saved.data?.booking.status, 'booked');
const kept = await client.POST('/payment/v1/tokenize', { body: { ...card, reference } });
expectEqual(kept.data?.card.cardType, 'Visa');
const charged = await client.POST('/payment/v1/create', { body: { reference, amount: 150 } });
const chargeId = charged.data?.transaction.id ?? 0;
const refunded = await client.POST('/refund/v1/create', {
  body: { reference, amount: 50, chargeId },
});
expectEqual(refunded.response.status, 200);
const listed = await client.POST('/payment/v1/list', { body: { type: 'PaymentManual' } });
expectEqual(listed.data?.transactions.find(({ id }) => id === chargeId)?.refunds.length, 1);
const refused = await client.POST('/payment/v1/create', {
  body: { reference: 'NOBODY', amount: 1 },
});
expectEqual(refused.error?.code, 'booking_not_found');
