/** The part of the demo with an agency's virtual card, which charges by itself, played by the test clock. */
import type { DemoClient } from './demoClient.ts';

const reference = 'AGENCY-1';

const DAY_MS = 86_400_000;

/** The clients of the demo, and the property that the engine's client belongs to. */
interface AgencyClients {
  readonly admin: DemoClient;
  readonly engine: DemoClient;
  readonly property: string;
}

/** An agency pays with a card that is active from the day of arrival on: what is due is charged that morning. */
export async function playVirtualCard(clients: AgencyClients): Promise<void> {
  const { admin, engine, property } = clients;
  const { now } = await admin.ask('/sandbox/v1/clock/get', { property });
  const nowMs = Date.parse(String(now));
  const dayAt = (days: number) => new Date(nowMs + days * DAY_MS).toISOString();
  const day = (days: number) => dayAt(days).slice(0, 10).split('-').toReversed().join('-');
  await engine.post('An agency sells a stay', '/booking/v1/create/manage-payments', {
    reference,
    arrival: day(30),
    departure: day(33),
    status: 'booked',
    email: 'guest@hotel.com',
    lastName: 'Okafor',
    source: 'Agency',
    totalCost: 480,
    firstNightCost: 160,
  });
  await engine.post(
    'Store its virtual card, active from the day of arrival on: it will charge what is due by itself',
    '/payment/v1/tokenize',
    {
      reference,
      cardNumber: '5555555555554444',
      cardExpiry: `12/${new Date(nowMs).getUTCFullYear() + 3}`,
      virtualCard: {
        activeFrom: dayAt(30),
        activeUntil: dayAt(60),
        limit: 480,
        channel: 'Agency',
        autoCharge: true,
      },
    },
  );
  await admin.post('Advance the clock to the stay', '/sandbox/v1/clock/advance', {
    property,
    to: dayAt(32),
  });
  await engine.post('See the card: charged, without fees', '/card/v1/virtual/list', {});
}
