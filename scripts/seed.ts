/**
 * Seeds a local database (never a deployment's) with one property, its client, an administrator and an export user.
 * Seeding twice changes nothing; a state of an
 * earlier version gets the scopes that came since.
 */
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { v7 as timeOrderedUuid } from 'uuid';
import { Keyring } from '../src/platform/crypto/keyring.ts';
import { wholeScopes } from '../src/records/clients/rules/scopes.ts';
import { digestSecret } from '../src/records/clients/secrets.ts';
import { propertyRow } from '../src/records/properties/actions.ts';
import { clients, exportUsers } from '../src/schema/accessTables.ts';
import { homes } from '../src/schema/homeTables.ts';
import { properties } from '../src/schema/propertyTables.ts';
import { users } from '../src/schema/staffTables.ts';

/** The credentials that `npm start` prints. */
export const seeded = {
  property: 'demo',
  client: { id: 'demo-engine', secret: 'demo-secret' },
  admin: { id: 'admin', secret: 'admin-secret' },
  analyst: { username: 'analyst', password: 'analyst-secret' },
  manager: { email: 'manager@demo.localhost', name: 'Demo Manager', role: 'manager' },
  desk: { email: 'desk@demo.localhost', name: 'Demo Desk', role: 'cashier' },
} as const;

/** Inserts the missing seeds. Of existing rows, only the scopes of clients change. */
export async function seed(d1: D1Database, keyringText: string, nowMs: number): Promise<void> {
  const keyring = await Keyring.parse(keyringText);
  const property = await propertyRow(
    keyring,
    null,
    {
      property: seeded.property,
      name: 'Demo Property',
      site: 'demo.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      cardFeeBasisPoints: 300,
      pms: {
        url: 'http://127.0.0.1:8790/pms',
        username: 'pms-user',
        password: 'pms-pass',
        transactionFormat: 'JSON',
      },
    },
    nowMs,
  );
  const client = {
    propertyId: seeded.property,
    scopes: [...wholeScopes],
    seeded: true,
    createdAtMs: nowMs,
  };
  const queries = drizzle(d1);
  const [home] = await queries.select().from(homes).where(eq(homes.propertyId, seeded.property));
  // It may have moved to another database since.
  const livesElsewhere = home !== undefined && home.database !== 'DB';
  const [first, ...others] = [
    ...(livesElsewhere ? [] : [queries.insert(properties).values(property).onConflictDoNothing()]),
    queries
      .insert(clients)
      .values({
        ...client,
        id: seeded.client.id,
        secretDigest: await digestSecret(seeded.client.secret),
      })
      .onConflictDoUpdate({ target: clients.id, set: { scopes: client.scopes } }),
    queries
      .insert(clients)
      .values({
        ...client,
        id: seeded.admin.id,
        propertyId: null,
        scopes: ['admin'],
        secretDigest: await digestSecret(seeded.admin.secret),
      })
      .onConflictDoNothing(),
    queries
      .insert(exportUsers)
      .values({
        username: seeded.analyst.username,
        portfolio: 'default',
        secretDigest: await digestSecret(seeded.analyst.password),
        seeded: true,
        createdAtMs: nowMs,
      })
      .onConflictDoNothing(),
    queries
      .insert(users)
      .values(
        [seeded.manager, seeded.desk].map((user) => ({
          ...user,
          id: timeOrderedUuid(),
          propertyId: seeded.property,
          seeded: true,
          createdAtMs: nowMs,
          updatedAtMs: nowMs,
        })),
      )
      .onConflictDoNothing(),
  ] as const;
  await queries.batch([first, ...others]);
}
