/** Stripe's settings of the environment, for `npm start`. */

/** The names of the settings, as a deployment has them. */
const NAMES = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_API_BASE',
] as const;

/** Values by name. */
type Values = Readonly<Record<string, string | undefined>>;

/**
 * What the local Worker gets from the environment: nothing unless `GATEWAY` is set, because other programs use Stripe's
 * names, too. `kept` is what `.dev.vars` has. Throws a sentence for a gateway that there is not, and for missing secrets.
 */
export function stripeSettings(environment: Values, kept: Values): Record<string, string> {
  const gateway = environment['GATEWAY'];
  if (!gateway) return {};
  if (gateway !== 'stripe' && gateway !== 'sandbox') {
    throw new Error('GATEWAY must be sandbox or stripe.');
  }
  if (gateway === 'sandbox') return { GATEWAY: gateway };
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const) {
    if (!environment[name] && !kept[name]) throw new Error(`GATEWAY=stripe also needs ${name}.`);
  }
  const given = NAMES.flatMap((name) => {
    const value = environment[name];
    return value ? [[name, value] as const] : [];
  });
  return { GATEWAY: gateway, ...Object.fromEntries(given) };
}
