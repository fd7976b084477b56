/** The part of the demo with a PMS. Messages wait while there is none; the service delivers them in order later. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoClient } from './demoClient.ts';
import { startPms } from './pms/server.ts';
import { seeded } from './seed.ts';

const property = seeded.property;

/** The demo's two clients: the administrator, and the property's booking engine. */
interface DemoClients {
  readonly admin: DemoClient;
  readonly engine: DemoClient;
}

/** Shows the queue without a PMS, starts a PMS, waits for the deliveries, and pushes availability. */
export async function exchangeWithPms({ admin, engine }: DemoClients): Promise<void> {
  await admin.authenticate('Get an access token as the administrator', seeded.admin);
  await admin.post(
    'List the waiting messages: no PMS is running yet, so they stay queued in order',
    '/admin/v1/outbox/list',
    { property, status: 'Pending', limit: 2 },
  );
  const pms = await startPms({ port: 0, progress: (line) => console.log(`    PMS: ${line}`) });
  try {
    await admin.post('Start a PMS, and give the property its URL', '/admin/v1/property/put', {
      property,
      name: 'Demo Property',
      site: 'demo.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      pms: { url: pms.url, username: 'pms-user', password: 'pms-pass' },
    });
    for (let waits = 0; waits < 50 && !(await allConfirmed(admin)); waits += 1) await sleep(100);
    await admin.post(
      'List the messages again: the service has delivered them all',
      '/admin/v1/outbox/list',
      { property, limit: 2 },
    );
    await admin.post('Ping the PMS', '/admin/v1/pms/ping', { property });
    await admin.post('Fetch the PMS’s rooms and rates', '/admin/v1/pms/get-rooms-rates', {
      property,
    });
    await pushAvailability(engine);
  } finally {
    await pms.stop();
  }
}

/** Whether the service has delivered every message. */
async function allConfirmed(admin: DemoClient): Promise<boolean> {
  const { messages } = await admin.ask('/admin/v1/outbox/list', { property, status: 'Pending' });
  return Array.isArray(messages) && messages.length === 0;
}

async function pushAvailability(engine: DemoClient): Promise<void> {
  const range = { RoomTypeCode: 'STD', StartDate: '2027-02-14', EndDate: '2027-02-16' };
  await engine.post('The PMS pushes the number of free rooms …', '/rooms/v1/push', {
    ...envelope('SetInventory'),
    InventoryData: [{ ...range, Availability: 3 }],
  });
  await engine.post('… and their prices', '/rates/v1/push', {
    ...envelope('SetRates'),
    RateData: [{ ...range, RateTypeCode: 'BAR', RateValue: '189.50' }],
  });
  await engine.post('Read the nights that can be booked', '/rooms/v1/get-inventory', {
    ...envelope('GetInventory'),
    pmsRoomTypeCode: 'STD',
    checkIn: '2027-02-14',
    checkOut: '2027-02-16',
    adults: 2,
  });
}

/** The first members of every message from the PMS, with its credentials. */
function envelope(MessageType: string) {
  return {
    Authentication: { Username: 'pms-user', Password: 'pms-pass' },
    MessageType,
    MessageID: crypto.randomUUID(),
  };
}
