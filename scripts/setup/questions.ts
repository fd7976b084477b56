/** The four questions of `npm run setup`, and what counts as an answer. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { exponentOf } from '../../src/core/money.ts';
import { isTimeZone } from '../../src/core/time.ts';
import { likelyPlace, type Place } from './place.ts';
import { SetupStop } from './stop.ts';

/** The answers given as flags and in the environment. */
export interface Given {
  readonly address?: string | undefined;
  readonly hotel?: string | undefined;
  readonly currency?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly gateway?: string | undefined;
  readonly stripeSecretKey?: string | undefined;
  readonly stripePublishableKey?: string | undefined;
}

/** A hotel's name, and the code that callers name it by. */
export interface Hotel extends Place {
  readonly code: string;
  readonly name: string;
}

/** Stripe's keys; the publishable one opens Stripe's card form for guests. */
export interface StripeKeys {
  readonly secretKey: string;
  readonly publishableKey: string | null;
}

/** A host name with at least one dot. */
const HOST =
  /^(?=.{4,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Asks for the host at which guests and engines reach the service. */
export async function askAddress({ address }: Given): Promise<string> {
  const text =
    address ??
    (await ask(
      '--address',
      `At which address will people reach the service? A domain of this Cloudflare account, such as
pay.hotel.com, or <name>.<subdomain>.workers.dev`,
    ));
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^https:\/\//, '')
    .replace(/\/$/, '');
  if (!HOST.test(host)) throw new SetupStop(`“${text}” is no host name, such as pay.hotel.com.`);
  return host;
}

/** Asks for the hotel's name, its currency and its time zone. */
export async function askHotel(given: Given): Promise<Hotel> {
  const name = (given.hotel ?? (await ask('--hotel', 'What is the hotel called?'))).trim();
  const code = codeOf(name);
  if (name.length > 200 || code === '') {
    throw new SetupStop('The name needs a Latin letter or a digit, and at most 200 characters.');
  }
  return { name, code, ...(await askPlace(given)) };
}

/** The code that a property gets from its name: `Hôtel du Lac` is `hotel-du-lac`. */
export function codeOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '');
}

async function askPlace(given: Given): Promise<Place> {
  if (given.currency && given.timeZone) {
    return checkedPlace(given.currency, given.timeZone);
  }
  const likely = likelyPlace();
  const fallback = likely === null ? '' : `${likely.currency} ${likely.timeZone}`;
  const text = await ask(
    '--currency and --time-zone',
    `Its currency and time zone, such as AUD Australia/Perth${fallback && ` [${fallback}]`}`,
  );
  const [currency = '', timeZone = ''] = (text.trim() || fallback).split(/\s+/);
  return checkedPlace(currency, timeZone);
}

function checkedPlace(code: string, timeZone: string): Place {
  const currency = code.toUpperCase();
  if (exponentOf(currency) === null) {
    throw new SetupStop(`“${code}” is no currency code of ISO 4217, such as AUD.`);
  }
  if (!isTimeZone(timeZone)) {
    throw new SetupStop(`“${timeZone}” is no IANA time zone, such as Australia/Perth.`);
  }
  return { currency, timeZone };
}

/** Asks for Stripe's keys; null for the sandbox, which takes no real money. */
export async function askStripe(given: Given): Promise<StripeKeys | null> {
  if (given.gateway === 'sandbox') return null;
  if (given.stripeSecretKey) {
    return checkedKeys(given.stripeSecretKey, given.stripePublishableKey ?? '');
  }
  const text = await ask(
    '--gateway sandbox, or STRIPE_SECRET_KEY in the environment',
    `Stripe's secret key and publishable key, with a space between them. Nothing appears while you
type. Press Enter for the sandbox, which takes no real money`,
    { secret: true },
  );
  const [secretKey = '', publishableKey = ''] = text.trim().split(/\s+/);
  return secretKey === '' ? null : checkedKeys(secretKey, publishableKey);
}

function checkedKeys(secretKey: string, publishableKey: string): StripeKeys {
  if (!/^(sk|rk)_(test|live)_\w+$/.test(secretKey)) {
    throw new SetupStop(
      "Stripe's secret key begins with sk_live_, sk_test_, rk_live_ or rk_test_.",
    );
  }
  if (publishableKey === '') return { secretKey, publishableKey: null };
  const mode = secretKey.split('_')[1];
  if (!publishableKey.startsWith(`pk_${mode}_`)) {
    throw new SetupStop(`The publishable key of this secret key begins with pk_${mode}_.`);
  }
  return { secretKey, publishableKey };
}

/** Asks in the terminal. Without one, stops and names the flag that answers. */
async function ask(
  flag: string,
  question: string,
  { secret = false }: { readonly secret?: boolean } = {},
): Promise<string> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY) throw new SetupStop(`Nobody is here to answer. Give ${flag}.`);
  // What is typed is echoed by readline, so a secret's line has no output.
  const output = secret ? new Writable({ write: (_text, _encoding, done) => done() }) : stdout;
  const lines = createInterface({ input: stdin, output, terminal: true });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    stdout.write(`\n${question}:\n`);
    return await new Promise((resolve, reject) => {
      lines.question('> ').then(resolve, reject);
      lines.on('close', () => reject(new SetupStop('There was no answer.')));
    });
  } finally {
    lines.close();
    if (secret) stdout.write('\n');
  }
}
