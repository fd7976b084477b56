/** How a deployment gets another database, with a stand-in for wrangler's command. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addDatabase } from '../../scripts/databases/add.ts';
import type { Wrangler } from '../../scripts/wrangler.ts';

const ID = '01234567-89ab-cdef-0123-456789abcdef';

/** An account: what it has been asked for, and the databases that it has. */
class Account {
  readonly asked: string[] = [];
  readonly databases = new Map<string, string>();
  readonly wrangler: Wrangler = {
    run: async (...args) => {
      this.asked.push(args.join(' '));
      const said = this.#answer(args);
      return { ok: said !== null, stdout: said ?? '', output: said ?? 'it failed' };
    },
    show: () => Promise.resolve(true),
  };
  failing: string | null = null;

  #answer([, what = '', name = '']: string[]): string | null {
    if (what === this.failing) return null;
    if (what === 'list') {
      return JSON.stringify([...this.databases].map(([one, uuid]) => ({ name: one, uuid })));
    }
    if (what !== 'create') return 'done';
    if (this.databases.has(name)) return null;
    this.databases.set(name, ID);
    return `Created ${name}: ${ID}`;
  }
}

function configFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'add-database-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'wrangler.toml');
  writeFileSync(file, 'name = "booking-payments"\n');
  return file;
}

it('is made, bound, and gets its tables', async () => {
  const account = new Account();
  const config = configFile();
  expect(await addDatabase(account.wrangler, config, 2)).toBe('DB2');
  const toml = readFileSync(config, 'utf8');
  expect(toml).toContain(`binding = "DB2"\ndatabase_name = "booking-payments-2"`);
  expect(toml).toContain(`database_id = "${ID}"`);
  expect(account.asked.at(-1)).toBe('d1 migrations apply DB2 --remote --env production');
});

it('that was made and not bound is bound by the next run', async () => {
  const account = new Account();
  account.databases.set('booking-payments-3', ID);
  const config = configFile();
  await addDatabase(account.wrangler, config, 3);
  expect(account.asked.filter((one) => one.startsWith('d1 create'))).toEqual([]);
  expect(readFileSync(config, 'utf8')).toContain('binding = "DB3"');
});

it('is not bound where it cannot be made', async () => {
  const account = new Account();
  account.failing = 'create';
  const config = configFile();
  await expect(addDatabase(account.wrangler, config, 2)).rejects.toThrow('it failed');
  expect(readFileSync(config, 'utf8')).not.toContain('DB2');
});
