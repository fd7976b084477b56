/** `npm run pms`: starts the reference PMS at the URL of the seeded property's PMS. */
import { startPms } from './pms/server.ts';
import { stopWithNpm } from './stopWithNpm.ts';

const port = Number(process.env['PMS_PORT'] ?? 8790);

if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error('PMS_PORT must be a number from 1 to 65535.');
  process.exit(1);
}

try {
  const pms = await startPms({ port, progress: (line) => console.log(`› ${line}`) });
  const stop = () => void pms.stop();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  stopWithNpm('pms', stop);
  console.log(`
Reference PMS

  messages   ${pms.url}   (pms-user / pms-pass, JSON or SOAP 1.2)
  page       ${pms.base}

Make it answer wrongly three times, then correctly again:

  curl -sS -d '{"mode":"http-503","times":3,"retryAfterSeconds":10}' ${pms.base}/behave
  curl -sS -d '{"mode":"right"}' ${pms.base}/behave

List the received messages: curl -sS ${pms.base}/received
Press Ctrl-C to stop.
`);
} catch (error) {
  console.error(inUse(error) ? `Port ${port} is in use. Set PMS_PORT to another one.` : error);
  process.exitCode = 1;
}

function inUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
