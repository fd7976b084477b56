import { seeded } from '../../scripts/seed.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { digestSecret } from '../../src/records/clients/secrets.ts';
import { insertClient } from '../../src/records/clients/store.ts';
import { testEnv } from './api.ts';
import { Guest } from './guest.ts';

/** Sends the form by which administrators sign in. */
export async function signIn(
  id: string = seeded.admin.id,
  secret: string = seeded.admin.secret,
): Promise<Guest> {
  const visitor = new Guest();
  await visitor.open('/ops');
  await visitor.submit({ clientId: id, clientSecret: secret });
  return visitor;
}

/** Makes an administrator who is none of the seeds, and returns the id; the secret is the id with `-secret`. */
export async function makeAdmin(id: string): Promise<string> {
  const client = {
    id,
    propertyId: null,
    scopes: ['admin' as const],
    secretDigest: await digestSecret(`${id}-secret`),
    seeded: false,
    createdAtMs: Date.now(),
    name: null,
    lastUsedAtMs: null,
    revokedAtMs: null,
  };
  await new Database(testEnv.DB, new Trace()).batch('d1.client.save', [insertClient(client)]);
  return id;
}
