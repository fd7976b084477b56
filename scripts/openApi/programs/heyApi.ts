/** The main job by the client that @hey-api/openapi-ts generates: token, booking, card, charge, refund, list. */

import { client } from './heyApi/client.gen.ts';
import {
  authToken,
  bookingCreateManagePayments,
  paymentCreate,
  paymentList,
  paymentTokenize,
  refundCreate,
} from './heyApi/index.ts';
import { booking, card, expectEqual, grant } from './job.ts';

const [, , baseUrl = ''] = process.argv;
const reference = 'HEY-API-1';
client.setConfig({ baseUrl });

const token = await authToken({ body: grant, throwOnError: true });
client.setConfig({ baseUrl, auth: token.data.access_token });
const saved = await bookingCreateManagePayments({ body: booking(reference), throwOnError: true });
expectEqual(saved.data.booking.status, 'booked');
const kept = await paymentTokenize({ body: { ...card, reference }, throwOnError: true });
expectEqual(kept.data.card.cardType, 'Visa');
const body = { reference, amount: 150 };
const charged = await paymentCreate({ body, throwOnError: true });
const chargeId = charged.data.transaction.id;
await refundCreate({ body: { reference, amount: 50, chargeId }, throwOnError: true });
const listed = await paymentList({ body: { type: 'PaymentManual' }, throwOnError: true });
expectEqual(listed.data.transactions.find(({ id }) => id === chargeId)?.refunds.length, 1);
const refused = await paymentCreate({ body: { ...body, reference: 'NOBODY' } });
expectEqual(refused.error?.code, 'booking_not_found');
