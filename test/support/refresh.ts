/** What the service does when the acquirer has news of a payment. */
import { bookingObject } from '../../src/booking/stub.ts';
import { testEnv } from './api.ts';

/** The service reads the acquirer's record of each of a booking's payments, and corrects its own. Returns the answers. */
export async function refreshPayments(
  reference: string,
  propertyId = 'demo',
  account: string | null = null,
) {
  const { results } = await testEnv.DB.prepare(
    'SELECT reference, gateway_reference FROM transactions WHERE property_id = ? AND booking_reference = ? AND gateway_reference IS NOT NULL',
  )
    .bind(propertyId, reference)
    .all<{ reference: string; gateway_reference: string }>();
  const context = { propertyId, reference, requestId: 'test', actor: 'gateway' };
  const answers = [];
  for (const row of results) {
    const news = { payment: row.gateway_reference, reference: row.reference, account };
    const reply = await bookingObject(testEnv, propertyId, reference).perform(
      'refreshFromGateway',
      context,
      news,
    );
    answers.push(reply.answered.answer);
  }
  return answers;
}
