/**
 * `npm start`: runs the whole service on this machine, without any configuration. `GATEWAY=stripe` and Stripe's settings
 * in the environment charge through Stripe (stripe: Try it locally).
 */
import path from 'node:path';
import { devVars, root } from './environment.ts';
import { seeded } from './seed.ts';
import { startService } from './service.ts';
import { stopWithNpm } from './stopWithNpm.ts';
import { stripeSettings } from './stripeSettings.ts';

const port = Number(process.env['PORT'] ?? 8787);
const persistTo = path.resolve(process.env['PERSIST_TO'] ?? path.join(root, '.wrangler/state'));

if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error('PORT must be a number from 1 to 65535.');
  process.exit(1);
}

try {
  const service = await startService({
    port,
    persistTo,
    variables: stripeSettings(process.env, devVars()),
    progress: (line) => console.log(`› ${line}`),
    output: (text) => process.stdout.write(text),
  });
  let ending = false;
  const stop = () => {
    if (ending) return;
    ending = true;
    console.log('› Stopping');
    void service.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  stopWithNpm('start', stop);
  console.log(welcome(service.url));
  await service.ended;
  process.exitCode = ending ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function welcome(url: string): string {
  const { client, admin, analyst, desk, manager, property } = seeded;
  return `
Ready at ${url}   (data: ${persistTo})

  documentation   ${url}/docs
  API client      ${client.id} / ${client.secret}   (property ${property})
  administrator   ${admin.id} / ${admin.secret}
  export user     ${analyst.username} / ${analyst.password}
  console         ${url}/console   (${manager.email} or ${desk.email}: the link comes to the mailbox)
  mailbox         ${url}/dev/mailbox
  operations      ${url}/ops   (the administrator)
  health          ${url}/health

Get an access token:

  curl -sS -u ${client.id}:${client.secret} -d grant_type=client_credentials ${url}/auth/v1/token

Press Ctrl-C to stop. The data is kept.
`;
}
