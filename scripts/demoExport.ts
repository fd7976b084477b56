import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import type { DemoClient } from './demoClient.ts';
import { seeded } from './seed.ts';

/** The longest wait for the file. */
const LONGEST_MS = 10_000;

/** An application, its changes, and the export file for analysts. */
export async function exportApplications(
  { admin, engine }: { readonly admin: DemoClient; readonly engine: DemoClient },
  url: string,
): Promise<void> {
  const reference = 'RES-2001';
  await engine.ask('/booking/v1/create/manage-payments', {
    reference,
    arrival: '14-02-2027',
    departure: '27-06-2027',
    status: 'booked',
    email: 'student@university.edu',
    lastName: 'Okafor',
    totalCost: 5700,
    firstNightCost: 43,
  });
  await engine.ask('/payment/v1/tokenize', {
    reference,
    cardNumber: '5555555555554444',
    cardExpiry: '12/2030',
  });
  const made = await engine.post('A student applies for a stay', '/application/v1/create', {
    reference,
    email: 'student@university.edu',
    arrival: '2027-02-14',
    departure: '2027-06-27',
    dateOfBirth: '2008-05-01',
    gender: 'Female',
    nationality: 'Nigeria',
    internationalStudent: true,
    university: 'UWA',
    courseName: 'Law',
    roomType: 'Studio',
    weeklyRate: 300,
    total: 5700,
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari/604.1',
  });
  await engine.post('The deposit moves the application to Held', '/payment/v1/create', {
    reference,
    amount: 600,
    transactionType: 'Deposit',
  });
  await engine.post('The PMS links the application to its own numbers', '/pms/v1/message', {
    MessageType: 'BookingRecord',
    MessageID: 'demo-record',
    BookingData: { applicationNumber: numberOf(made), entryId: 77, bookingId: 4012 },
  });
  await admin.post('Make today’s export file now instead of at 00:10 UTC', '/admin/v1/export/run', {
    variant: 'propertySystem',
  });
  await untilComplete(admin);
  await admin.post('List the export runs', '/admin/v1/export/list', { limit: 1 });
  fetchWithCurl(`${url}/export?propertySystem=1`, admin);
}

function numberOf(answer: Record<string, unknown>): unknown {
  const { application } = answer as { application?: { applicationNumber?: unknown } };
  return application?.applicationNumber;
}

async function untilComplete(admin: DemoClient): Promise<void> {
  const untilMs = Date.now() + LONGEST_MS;
  while (Date.now() < untilMs) {
    const { runs } = await admin.ask('/admin/v1/export/list', { limit: 1 });
    const [run] = runs as { status: string }[];
    if (run?.status === 'Complete') return;
    await sleep(100);
  }
  throw new Error('The export did not complete in time.');
}

/** Fetches the file as an analyst does, and prints the command and its output. */
function fetchWithCurl(address: string, client: DemoClient): void {
  const { username, password } = seeded.analyst;
  const options = ['-s', '-u', `${username}:${password}`, address];
  client.announce(
    'Fetch it with curl',
    `curl ${options.join(' ').replace(address, `'${address}'`)}`,
  );
  const lines = execFileSync('curl', options, { encoding: 'utf8' });
  if (!lines.includes('"entryId":77')) throw new Error('The demo did not expect this file.');
  console.log(styleText('green', lines));
}
