import { HOUR_MS } from '../../src/core/time.ts';
import { sweepSandboxDisbursements } from '../../src/sandbox/disbursements.ts';
import { call, makeBooking, testEnv } from './api.ts';
import { disbursementsOf } from './disbursements.ts';
import type { Existing } from './samples.ts';

/** Makes what the samples refer to. */
export async function makeExisting(): Promise<Existing> {
  const reference = 'EXISTING-1';
  const cardToken = await makeBooking(reference, '4242424242424242');
  const charged = await call('/payment/v1/create', { reference, amount: 150 });
  const ahead = new Date(Date.now() + HOUR_MS).toISOString();
  const hold = { reference, amount: 150, preAuth: true, expiryTime: ahead };
  const held = await call('/payment/v1/create', hold);
  const scheduled = await call('/payment/v1/schedule', { reference, amount: 10, time: ahead });
  const application = await call('/application/v1/create', {
    email: 'guest@hotel.com',
    arrival: '2027-02-14',
    departure: '2027-02-17',
  });
  const endpoint = await call('/webhook/v1/put', {
    url: 'https://engine.hotel.com/events',
    active: false,
  });
  await sweepSandboxDisbursements(testEnv, Date.now());
  const [disbursement] = await disbursementsOf();
  return {
    property: 'demo',
    reference,
    chargeId: charged.json.transaction.id,
    holdId: held.json.transaction.id,
    scheduleId: scheduled.json.transaction.id,
    cardToken,
    applicationNumber: application.json.application.applicationNumber,
    endpointId: endpoint.json.endpoint.endpointId,
    disbursementId: disbursement?.disbursementId ?? '',
  };
}
