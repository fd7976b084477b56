import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../environment.ts';
import { createDatabase, findDatabase, migrateDatabase } from '../setup/cloudflare.ts';
import type { Wrangler } from '../wrangler.ts';

/**
 * Makes the `number`-th database of a deployment (the first is 1), binds it in the wrangler.toml and gives it its tables.
 * Returns its binding. One that an earlier run made, and did not come to bind, is bound.
 */
export async function addDatabase(
  wrangler: Wrangler,
  config: string,
  number: number,
): Promise<string> {
  const binding = `DB${number}`;
  const name = `booking-payments-${number}`;
  const id = (await findDatabase(wrangler, name)) ?? (await createDatabase(wrangler, name));
  const bound = [
    '[[env.production.d1_databases]]',
    `binding = "${binding}"`,
    `database_name = "${name}"`,
    `database_id = "${id}"`,
    `migrations_dir = "${migrationsFrom(config)}"`,
  ].join('\n');
  writeFileSync(config, `${readFileSync(config, 'utf8').trimEnd()}\n\n${bound}\n`);
  await migrateDatabase(wrangler, binding);
  return binding;
}

/** The folder of the migrations, from where a configuration file is: wrangler looks from there. */
function migrationsFrom(config: string): string {
  return path.relative(path.dirname(path.resolve(config)), path.join(root, 'migrations'));
}
