/** The first administrator, property and client of a deployment. */
import { randomBytes } from 'node:crypto';
import { newAdministrator } from '../administrator.ts';
import type { Wrangler } from '../wrangler.ts';
import type { Answers } from './answers.ts';
import { query } from './cloudflare.ts';
import { hasAdministrator, leftBehind, perhapsUnseen, TEMPORARY } from './records.ts';
import { Administration, type Credentials } from './service.ts';

/** The id of the first administrator. */
const FIRST = 'admin-1';

/** Tells the person at the terminal something. */
type Say = (line: string) => void;

/**
 * Makes what is missing, and returns the new client; null when nothing was. Works as an administrator of its own, who is
 * revoked at the end: one that is left over says that a run was cut off, so that nobody may have seen the secret of the
 * client that it made. That client is replaced.
 */
export async function ensureFirstRecords(
  wrangler: Wrangler,
  answers: Answers,
  service: string,
  say: Say,
): Promise<Credentials | null> {
  const { hotel, publicAddress, records } = answers;
  const property = hotel?.code ?? records.properties[0] ?? '';
  const isNew = !records.properties.includes(property);
  const unseen = perhapsUnseen(records, property);
  const seen = records.clients.filter((one) => one.property === property && !unseen.includes(one));
  const left = leftBehind(records);
  if (hasAdministrator(records) && !isNew && seen.length > 0 && left.length === 0) return null;

  const own = await newAdministrator(`${TEMPORARY}${randomBytes(8).toString('hex')}`);
  await insertAdministrators(wrangler, own.insert, hasAdministrator(records), say);
  const administration = await Administration.signIn(service, own);
  if (hotel !== null && isNew) {
    say(`› Property ${property}`);
    await administration.putProperty(hotel, new URL(publicAddress).hostname);
  }
  for (const { id } of unseen) await administration.revoke(id);
  const client = seen.length > 0 ? null : await administration.createClient(property);
  if (client !== null) say(clientText(property, client));
  for (const { id } of [...left, own]) await administration.revoke(id);
  return client;
}

async function insertAdministrators(
  wrangler: Wrangler,
  own: string,
  hasFirst: boolean,
  say: Say,
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

function clientText(property: string, { id, secret }: Credentials): string {
  return `› API client of ${property}\n\n    id      ${id}\n    secret  ${secret}\n
  Keep the secret: it is not shown again.`;
}
