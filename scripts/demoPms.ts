/** The part of the demo that needs a PMS: messages wait without one, and go out in order once it is there. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoClient } from './demoClient.ts';
import { startPms } from './pms/server.ts';
import { seeded } from './seed.ts';

const property = seeded.property;

/** What the demo's two clients are for: the administrator and the property's own booking engine. */
interface DemoClients {
  readonly admin: DemoClient;
  readonly engine: DemoClient;
}

/** Shows the queue without a PMS, starts one, lets it get everything, and lets it push availability. */
export async function exchangeWithPms({ admin, engine }: DemoClients): Promise<void> {
  await admin.authenticate('As the administrator', seeded.admin);
  await admin.post(
    'Nothing was told to the PMS yet, since there is none: the messages wait in their order',
    '/admin/v1/outbox/list',
    { property, status: 'Pending', limit: 2 },
  );
  const pms = await startPms({ port: 0, progress: (line) => console.log(`    PMS: ${line}`) });
  try {
    await admin.post('A PMS is there now, at an address of its own', '/admin/v1/property/put', {
      property,
      name: 'Demo Property',
      site: 'demo.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      pms: { url: pms.url, username: 'pms-user', password: 'pms-pass' },
    });
    for (let waits = 0; waits < 50 && !(await allConfirmed(admin)); waits += 1) await sleep(100);
    await admin.post('Everything was told', '/admin/v1/outbox/list', { property, limit: 2 });
    await admin.post('Ping it', '/admin/v1/pms/ping', { property });
    await admin.post('Fetch its rooms and rates', '/admin/v1/pms/get-rooms-rates', { property });
    await pushAvailability(engine);
  } finally {
    await pms.stop();
  }
}

/** Whether nothing waits any more; asked quietly. */
async function allConfirmed(admin: DemoClient): Promise<boolean> {
  const { messages } = await admin.ask('/admin/v1/outbox/list', { property, status: 'Pending' });
  return Array.isArray(messages) && messages.length === 0;
}

async function pushAvailability(engine: DemoClient): Promise<void> {
  const range = { RoomTypeCode: 'STD', StartDate: '2027-02-14', EndDate: '2027-02-16' };
  await engine.post('The PMS pushes how many rooms are free …', '/rooms/v1/push', {
    ...envelope('SetInventory'),
    InventoryData: [{ ...range, Availability: 3 }],
  });
  await engine.post('… and what they cost', '/rates/v1/push', {
    ...envelope('SetRates'),
    RateData: [{ ...range, RateTypeCode: 'BAR', RateValue: '189.50' }],
  });
  await engine.post('What can be booked', '/rooms/v1/get-inventory', {
    ...envelope('GetInventory'),
    pmsRoomTypeCode: 'STD',
    checkIn: '2027-02-14',
    checkOut: '2027-02-16',
    adults: 2,
  });
}

/** What every message of the PMS begins with: its credentials stand in the body. */
function envelope(MessageType: string) {
  return {
    Authentication: { Username: 'pms-user', Password: 'pms-pass' },
    MessageType,
    MessageID: crypto.randomUUID(),
  };
}
