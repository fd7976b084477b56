/** What a run would do, for `npm run setup -- --dry-run`. It only reads. */
import type { Wrangler } from '../wrangler.ts';
import { findDatabase, secretNames } from './cloudflare.ts';
import { readSettings } from './production.ts';
import type { Given } from './questions.ts';
import { noRecords, readRecords } from './records.ts';

interface Planning {
  readonly wrangler: Wrangler;
  readonly config: string;
  readonly given: Given;
  readonly databases: number;
  readonly say: (line: string) => void;
}

/** Says what is there and what a run would make. */
export async function sayPlan({
  config,
  databases,
  given,
  say,
  wrangler,
}: Planning): Promise<void> {
  const settings = await readSettings(config);
  const { bucketName, databaseName, publicAddress } = settings;
  const databaseId = settings.databaseId ?? (await findDatabase(wrangler, databaseName));
  const secrets = await secretNames(wrangler);
  // Wrangler only reads a database that wrangler.toml names.
  const isNamed = settings.databaseId !== null;
  const { clients, properties } = isNamed ? await readRecords(wrangler) : noRecords;
  const address = publicAddress ?? given.address;
  const steps = [
    address ? `Address: ${address}` : 'Ask for the address',
    `Database ${databaseName}: ${databaseId === null ? 'make it' : 'it is there'}, and apply the migrations`,
    ...Array.from(
      { length: Math.max(0, databases - settings.bindings.length) },
      (_, at) =>
        `Database ${settings.bindings.length + at + 1}: make it, bind it, and apply the migrations`,
    ),
    `Bucket ${bucketName}: make it if it is missing`,
    secrets === null
      ? 'Worker: deploy it with new secrets'
      : `Worker: deploy it again if anything changed. It has ${[...secrets].toSorted().join(', ') || 'no secrets'}`,
    properties.length === 0
      ? 'Ask for the hotel, and make it with a client and an administrator, where the database has none'
      : `Records: ${properties.length} properties and ${clients.length} clients stay as they are`,
  ];
  say('A run would do this. Nothing was changed.');
  for (const step of steps) say(`- ${step}`);
}
