import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import {
  cursorAfter,
  EVERY_PROPERTY,
  nextPage,
  pageFields,
  partOf,
} from '../../http/listFields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { keySchema, listKeys } from '../../records/keyring/needs.ts';

/** `POST /admin/v1/keyring/list`: what still needs which key of `KEYRING` (interface: List keys). */
export function registerKeyring(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/keyring/list',
      summary: 'Say what still needs which key of the service',
      body: () => z.object(pageFields),
      answer: z.object({
        success: z.literal(true),
        keys: z.array(keySchema),
        nextCursor: nextPage,
      }),
    },
    async ({ c, body }) => {
      const part = partOf('keys', EVERY_PROPERTY, body);
      if (!part.ok) return part;
      const { keyring } = c.get('config');
      const all = await listKeys(c.get('database'), keyring, Date.now());
      const from = Number(part.value.after?.[0] ?? 0);
      const to = from + part.value.limit;
      const next = to < all.length ? [to] : null;
      const nextCursor = cursorAfter('keys', EVERY_PROPERTY, { next });
      return ok({ success: true, keys: all.slice(from, to), nextCursor });
    },
  );
}
