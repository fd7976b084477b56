/** The row of an administrator, for a database that no administrator can be asked for yet. */
import { digestSecret, newSecret } from '../src/records/clients/secrets.ts';

/** Letters, digits and dashes only: no quote can be in it. */
const ID = /^[a-z0-9-]{1,64}$/;

/** A new administrator. The database gets the digest of the secret only. */
export interface NewAdministrator {
  readonly id: string;
  readonly secret: string;
  /** The SQL that inserts it. Fails where the id is taken. */
  readonly insert: string;
}

/** Whether an administrator can have this id. */
export function isAdministratorId(id: string): boolean {
  return ID.test(id);
}

/** Makes an administrator with a random secret. Throws for an id that {@link isAdministratorId} refuses. */
export async function newAdministrator(id: string): Promise<NewAdministrator> {
  if (!isAdministratorId(id)) throw new Error('not an id of an administrator');
  const secret = newSecret();
  const digest = await digestSecret(secret);
  // Neither part can hold a quote: the id was checked, the digest is hexadecimal.
  const insert = `INSERT INTO clients (id, property_id, scopes, secret_digest, seeded, created_at_ms)
  VALUES ('${id}', NULL, '["admin"]', '${digest}', 0, ${Date.now()});`;
  return { id, secret, insert };
}
