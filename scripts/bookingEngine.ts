/** `npm run engine`: starts the example booking engine against a local start (docs/events.md). */
import path from 'node:path';
import { startEngine } from './engine/engine.ts';
import { root } from './environment.ts';
import { seeded } from './seed.ts';
import { stopWithNpm } from './stopWithNpm.ts';

const port = Number(process.env['ENGINE_PORT'] ?? 8789);

if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error('ENGINE_PORT must be a number from 1 to 65535.');
  process.exit(1);
}

const engine = await startEngine({
  base: process.env['BASE'] ?? 'http://127.0.0.1:8787',
  port,
  credentials: {
    id: process.env['ENGINE_ID'] ?? seeded.client.id,
    secret: process.env['ENGINE_SECRET'] ?? seeded.client.secret,
  },
  file: process.env['ENGINE_FILE'] ?? path.join(root, '.wrangler/engine.json'),
  progress: (line) => console.log(`› ${line}`),
});
const stop = () => void engine.stop();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
stopWithNpm('engine', stop);
console.log(`
Booking engine

  events     ${engine.url}/events
  knows      curl -sS ${engine.url}/bookings

Press Ctrl-C to stop. It catches up when it starts again.
`);
