/**
 * The yardsticks: the least work that the platform needs for a route, an object call, a read, a charge and an export.
 * The benchmark compares the service with them on the same runtime and database.
 */
import { Hono, type MiddlewareHandler } from 'hono';
import { Keyring } from '../../src/platform/crypto/keyring.ts';
import { verifyAccessToken } from '../../src/records/clients/accessTokens.ts';
import { type BookingName, type Intent, type YardstickEnv, yardstickObject } from './object.ts';
import { type PagesWanted, readPages } from './pages.ts';
import { type FileWanted, writeAndRead } from './parts.ts';
import { readBooking } from './statements.ts';

// biome-ignore lint/performance/noBarrelFile: the runtime finds an object's class in the entry's exports.
export { YardstickObject } from './object.ts';

/** Parsed once, as in the service. */
let keyring: Promise<Keyring> | undefined;

const app = new Hono<{ Bindings: YardstickEnv }>();

app.get('/empty', (c) => c.json({ success: true }));

app.get('/token', async (c) => {
  const token = c.req.header('Authorization')?.slice('Bearer '.length) ?? '';
  keyring ??= Keyring.parse(c.env.KEYRING);
  const claims = await verifyAccessToken(await keyring, token, Date.now());
  return claims === null ? c.json({ success: false }, 401) : c.json({ success: true });
});

/** Calls the limiter, as the service does. The simulated limiter writes to disk; Cloudflare's does not. */
const askLimiter: MiddlewareHandler<{ Bindings: YardstickEnv }> = async (c, next) => {
  await c.env.CLIENT_RATE_LIMIT.limit({ key: 'yardstick' });
  return next();
};

app.get('/rate-limit', askLimiter, (c) => c.json({ success: true }));

app.post('/object', async (c) => {
  const { reference } = await c.req.json<BookingName>();
  await yardstickObject(c.env, reference).nothing();
  return c.json({ success: true });
});

app.post('/read', askLimiter, async (c) => {
  const name = await c.req.json<BookingName>();
  const [property, booking, cards] = await c.env.DB.batch(readBooking(c.env.DB, name));
  return c.json({
    success: true,
    property: property?.results,
    booking: booking?.results,
    cards: cards?.results,
  });
});

app.post('/charge', askLimiter, async (c) => {
  const intent = await c.req.json<Intent>();
  const id = await yardstickObject(c.env, intent.reference).charge(intent, false);
  return c.json({ success: true, id });
});

app.post('/charge-with-acquirer', askLimiter, async (c) => {
  const intent = await c.req.json<Intent>();
  const id = await yardstickObject(c.env, intent.reference).charge(intent, true);
  return c.json({ success: true, id });
});

app.post('/pages', async (c) => c.json(await readPages(c.env.DB, await c.req.json<PagesWanted>())));

app.post('/parts', async (c) => {
  await writeAndRead(c.env.EXPORTS, await c.req.json<FileWanted>());
  return c.json({ success: true });
});

export default app;
