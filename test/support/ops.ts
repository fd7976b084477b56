import { seeded } from '../../scripts/seed.ts';
import { digestSecret } from '../../src/records/clients/secrets.ts';
import { insertClient } from '../../src/records/clients/store.ts';
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
  await insertClient({
    id,
    propertyId: null,
    scopes: ['admin'],
    secretDigest: await digestSecret(`${id}-secret`),
    seeded: false,
    createdAtMs: Date.now(),
    name: null,
    lastUsedAtMs: null,
    revokedAtMs: null,
  });
  return id;
}
