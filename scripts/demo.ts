/**
 * `npm run demo`: plays a booking engine and a PMS against a fresh local service, and prints every request, a
 * no-show too; then a stay of 19 weeks, as a table, and an agency's virtual card.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoClient } from './demoClient.ts';
import { exportApplications } from './demoExport.ts';
import { playNoShow } from './demoNoShow.ts';
import { exchangeWithPms } from './demoPms.ts';
import { playStay } from './demoStay.ts';
import { playVirtualCard } from './demoVirtualCard.ts';
import { root } from './environment.ts';
import { seeded } from './seed.ts';
import { freePort, startService } from './service.ts';

/** The booking of the demo. */
const reference = 'RES-1001';

const scratch = path.join(root, '.wrangler');
mkdirSync(scratch, { recursive: true });
const persistTo = mkdtempSync(path.join(scratch, 'demo-'));

console.log('Starting a fresh service for this demo:');
const service = await startService({
  port: await freePort(),
  persistTo,
  progress: (line) => console.log(`› ${line}`),
  output: (text) => process.stderr.write(text),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void service.stop().then(() => process.exit(1)));
}
try {
  const steps = { last: 0 };
  const client = new DemoClient(service.url, steps);
  await takePayment(client);
  await scheduleCharge(client);
  await holdAndCapture(client);
  await refund(client);
  await inviteGuest(client);
  const admin = new DemoClient(service.url, steps);
  await exchangeWithPms({ admin, engine: client });
  await exportApplications({ admin, engine: client }, service.url);
  await playNoShow(new DemoClient(service.url, steps));
  const student = new DemoClient(service.url, steps);
  const property = await playStay({ admin, engine: student });
  await playVirtualCard({ admin, engine: student, property });
} finally {
  await service.stop();
  rmSync(persistTo, { recursive: true, force: true });
}

/** Token, booking, card, charge: the first steps of every booking engine. */
async function takePayment(client: DemoClient): Promise<void> {
  await client.authenticate('Get an access token', seeded.client);
  await client.post('Send a booking to the service', '/booking/v1/create/manage-payments', {
    reference,
    arrival: '14-02-2027',
    departure: '17-02-2027',
    status: 'booked',
    email: 'guest@hotel.com',
    lastName: 'Nguyen',
    totalCost: 600,
    firstNightCost: 200,
  });
  await client.post('Store a card for it', '/payment/v1/tokenize', {
    reference,
    cardNumber: '4242424242424242',
    cardHolderName: 'A Nguyen',
    cardExpiry: '12/2030',
    cvv: '123',
  });
  await client.post(
    'Charge the deposit. The service adds the property’s card fee of 3 %',
    '/payment/v1/create',
    { reference, amount: 150, transactionType: 'Deposit', description: 'Deposit' },
    { 'Idempotency-Key': 'deposit-RES-1001' },
  );
  await client.post(
    'Send the same request again, as after a broken connection: same answer, still one charge',
    '/payment/v1/create',
    { reference, amount: 150, transactionType: 'Deposit', description: 'Deposit' },
    { 'Idempotency-Key': 'deposit-RES-1001' },
  );
}

/** A scheduled charge. */
async function scheduleCharge(client: DemoClient): Promise<void> {
  const time = new Date(Date.now() + 3_000).toISOString();
  await client.post('Schedule the balance for three seconds from now', '/payment/v1/schedule', {
    reference,
    amount: 450,
    transactionType: 'Balance',
    time,
  });
  console.log('\n    … waiting for the scheduled charge …');
  await sleep(4_500);
}

/** A hold on the card, partly captured. */
async function holdAndCapture(client: DemoClient): Promise<void> {
  const held = await client.post('Hold a bond on the card', '/payment/v1/create', {
    reference,
    amount: 200,
    transactionType: 'Bond',
    preAuth: true,
    expiryTime: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await client.post('Capture a part of it; the rest is released', '/payment/v1/charge-pre-auth', {
    reference,
    chargeId: idOf(held),
    amount: 50,
  });
}

/** A refund over more than one charge. */
async function refund(client: DemoClient): Promise<void> {
  await client.post('Refund more than any single charge covers', '/refund/v1/create', {
    reference,
    amount: 500,
    description: 'Left early',
  });
  await client.post('List the payments with their refunds', '/payment/v1/transaction', {
    reference,
  });
}

function idOf(answer: Record<string, unknown>): unknown {
  const { transaction } = answer;
  return transaction !== null && typeof transaction === 'object' && 'id' in transaction
    ? transaction.id
    : undefined;
}

/** The guest's payment page, and a request for a card by e-mail. */
async function inviteGuest(client: DemoClient): Promise<void> {
  const url = '/booking/v1/get-url';
  await client.post('Get the link to the guest’s payment page', url, { reference });
  const ask = '/payment/v1/request-card-details';
  await client.post('Ask the guest for a card by e-mail', ask, { reference });
}
