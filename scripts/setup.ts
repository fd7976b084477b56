/**
 * `npm run setup`: takes a Cloudflare account that is signed in and empty to a first charge, with four questions. Safe to
 * run again: it goes on where it was cut off, and changes nothing that is done.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { accountEnvironment, projectConfig } from './environment.ts';
import { setUp } from './setup/steps.ts';
import { SetupStop } from './setup/stop.ts';
import { wranglerFor } from './wrangler.ts';

const HELP = `npm run setup -- [flags]

  --address    the domain, or <name>.<subdomain>.workers.dev
  --hotel      the hotel's name
  --currency   such as AUD
  --time-zone  such as Australia/Perth
  --gateway    sandbox, or stripe with STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY in the environment
  --databases  how many databases the hotels' data are spread over; 1 unless given
  --config     another wrangler.toml
  --dry-run    say what a run would do, and change nothing
  --reach      another address at which this computer reaches the deployed service

What no flag answers is asked. KEYRING in the environment is taken instead of a new one.`;

const { values } = parseArgs({
  options: {
    address: { type: 'string' },
    hotel: { type: 'string' },
    currency: { type: 'string' },
    'time-zone': { type: 'string' },
    gateway: { type: 'string' },
    databases: { type: 'string', default: '1' },
    config: { type: 'string', default: projectConfig },
    reach: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
// Copied before wrangler's import changes this process's environment for local use.
const own = { ...process.env };

if (values.help) {
  console.log(HELP);
} else {
  await run();
}

async function run(): Promise<void> {
  const config = path.resolve(values.config);
  const {
    STRIPE_SECRET_KEY: stripeSecretKey,
    STRIPE_PUBLISHABLE_KEY: stripePublishableKey,
    KEYRING: keyring,
    ...environment
  } = own;
  try {
    const { address, currency, gateway, hotel, 'time-zone': timeZone } = values;
    if (gateway !== undefined && gateway !== 'sandbox' && gateway !== 'stripe') {
      throw new SetupStop('--gateway is sandbox or stripe.');
    }
    const databases = Number(values.databases);
    if (!Number.isInteger(databases) || databases < 1) {
      throw new SetupStop('--databases is a number from 1 on.');
    }
    await setUp({
      wrangler: wranglerFor(accountEnvironment(environment), config),
      config,
      databases,
      given: { address, hotel, currency, timeZone, gateway, stripeSecretKey, stripePublishableKey },
      accountId: own['CLOUDFLARE_ACCOUNT_ID'],
      reach: values.reach ?? null,
      keyring,
      stripeApi: new URL(own['STRIPE_API_BASE'] ?? 'https://api.stripe.com'),
      today: new Date(),
      isDry: values['dry-run'],
      say: (line) => console.log(line),
    });
  } catch (error) {
    if (!(error instanceof SetupStop)) throw error;
    console.error(`\nStopped. ${error.message}`);
    process.exitCode = 1;
  }
}
