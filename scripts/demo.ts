/** `npm run demo`: the main job against a fresh local service, as a booking engine does it. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DemoClient } from './demoClient.ts';
import { root } from './environment.ts';
import { seeded } from './seed.ts';
import { freePort, startService } from './service.ts';

const scratch = path.join(root, '.wrangler');
mkdirSync(scratch, { recursive: true });
const persistTo = mkdtempSync(path.join(scratch, 'demo-'));

console.log('A fresh service, for this demo only:');
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
  await takePayment(new DemoClient(service.url));
} finally {
  await service.stop();
  rmSync(persistTo, { recursive: true, force: true });
}

/** Token, booking, card, charge, list: what every booking engine does first. */
async function takePayment(client: DemoClient): Promise<void> {
  const reference = 'RES-1001';
  await client.authenticate('Get an access token', seeded.client);
  await client.post('Tell the service of a booking', '/booking/v1/create/manage-payments', {
    reference,
    arrival: '14-02-2027',
    departure: '17-02-2027',
    status: 'booked',
    email: 'guest@hotel.com',
    lastName: 'Nguyen',
    totalCost: 600,
    firstNightCost: 200,
  });
  await client.post('Tokenize a card for it', '/payment/v1/tokenize', {
    reference,
    cardNumber: '4242424242424242',
    cardHolderName: 'A Nguyen',
    cardExpiry: '12/2030',
    cvv: '123',
  });
  await client.post(
    'Charge the deposit: the property adds its card fee of 3 %',
    '/payment/v1/create',
    { reference, amount: 150, transactionType: 'Deposit', description: 'Deposit' },
    { 'Idempotency-Key': 'deposit-RES-1001' },
  );
  await client.post(
    'Send the same again, as after a broken connection: the first answer, one charge',
    '/payment/v1/create',
    { reference, amount: 150, transactionType: 'Deposit', description: 'Deposit' },
    { 'Idempotency-Key': 'deposit-RES-1001' },
  );
  await client.post('List the payments', '/payment/v1/transaction', { reference });
}
