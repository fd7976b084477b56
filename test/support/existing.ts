import { HOUR_MS } from '../../src/core/time.ts';
import { sweepSandboxDisbursements } from '../../src/sandbox/disbursements.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { call, callAsAdmin, makeBooking, testEnv } from './api.ts';
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
  const disputeId = await openDispute('EXISTING-2');
  await sweepSandboxDisbursements(testEnv, Date.now());
  const [disbursement] = await disbursementsOf();
  const span = { from: '2027-02-14', to: '2027-02-14' };
  const compared = await call('/pms-ledger/v1/compare', { ...span, lines: [] });
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
    disputeId,
    reportId: compared.json.report.reportId,
  };
}

/** Makes a booking with a charge that is disputed, and returns the dispute's id. */
export async function openDispute(reference: string): Promise<string> {
  await makeBooking(reference, '4242424242424242');
  const { json } = await call('/payment/v1/create', { reference, amount: 150 });
  const chargeId = json.transaction.id;
  const dispute = { action: 'dispute', property: 'demo', reference, chargeId };
  await callAsAdmin('/sandbox/v1/act', dispute);
  await sandboxAcquirer(testEnv).deliverNow();
  const listed = await call('/dispute/v1/list', { reference });
  const [opened] = listed.json.disputes;
  return opened?.disputeId ?? '';
}
