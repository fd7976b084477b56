import { z } from '@hono/zod-openapi';
import { adminList } from '../../http/listOperation.ts';
import type { Api } from '../../http/operation.ts';
import { keySchema, listKeys } from '../../records/keyring/needs.ts';

/** `POST /admin/v1/keyring/list`: what still needs which key of `KEYRING` (interface: List keys). */
export function registerKeyring(api: Api): void {
  adminList(api, {
    path: '/admin/v1/keyring/list',
    summary: 'Say what still needs which key of the service',
    list: 'keys',
    filter: {},
    member: 'keys',
    entries: z.array(keySchema),
    read: async ({ c }, { after, limit }) => {
      const all = await listKeys(c.get('database'), c.get('config').keyring, Date.now());
      const from = Number(after?.[0] ?? 0);
      const to = from + limit;
      return { rows: all.slice(from, to), next: to < all.length ? [to] : null };
    },
  });
}
