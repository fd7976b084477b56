/** The first administrator, property and client of a deployment. */
import { randomBytes } from 'node:crypto';
import { newAdministrator } from '../administrator.ts';
import type { Wrangler } from '../wrangler.ts';
import type { Answers } from './answers.ts';
import { query } from './cloudflare.ts';
import { hasAdministrator, hasSeenClient, leftBehind, TEMPORARY } from './records.ts';
import { Administration, type Credentials } from './service.ts';

/** The id of the first administrator. */
const FIRST = 'admin-1';

/** Where the records go, and who is told. */
export interface FirstRecords {
  readonly wrangler: Wrangler;
  readonly answers: Answers;
  /** The address of the deployed service. */
  readonly service: string;
  readonly say: (line: string) => void;
  /** Shows the new client; null when nobody needs one. */
  readonly show: (client: Credentials | null) => void;
}

/**
 * Makes what is missing. Works as an administrator of its own, and revokes it only after the new client was shown: one
 * that is left over says that a run was cut off, so that perhaps nobody saw the secret of its client. Then there is
 * another client.
 */
export async function ensureFirstRecords(work: FirstRecords): Promise<void> {
  const { answers, service, show, wrangler } = work;
  const { hotel, publicAddress, records } = answers;
  const property = hotel?.code ?? records.properties[0] ?? '';
  const isNew = !records.properties.includes(property);
  const hasClient = hasSeenClient(records, property);
  const left = leftBehind(records);
  if (hasAdministrator(records) && !isNew && hasClient && left.length === 0) {
    show(null);
    return;
  }
  const own = await newAdministrator(`${TEMPORARY}${randomBytes(8).toString('hex')}`);
  await insertAdministrators(wrangler, own.insert, hasAdministrator(records), work.say);
  const administration = await Administration.signIn(service, own);
  if (hotel !== null && isNew) {
    work.say(`› Property ${property}`);
    await administration.putProperty(hotel, new URL(publicAddress).hostname);
  }
  show(hasClient ? null : await administration.createClient(property));
  for (const { id } of [...left, own]) await administration.revoke(id);
}

async function insertAdministrators(
  wrangler: Wrangler,
  own: string,
  hasFirst: boolean,
  say: FirstRecords['say'],
): Promise<void> {
  if (hasFirst) {
    await query(wrangler, own);
    return;
  }
  const first = await newAdministrator(FIRST);
  // Before the row exists: a secret that was never shown could not be used by anybody.
  say(`› Administrator\n\n    id      ${first.id}\n    secret  ${first.secret}\n
  Keep the secret: it is not shown again.`);
  await query(wrangler, `${own}\n${first.insert}`);
}
