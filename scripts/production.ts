/** The settings for production in wrangler.toml that a deployment needs. */
export interface Production {
  readonly d1_databases: readonly { readonly database_id?: string }[];
  readonly vars: Readonly<Record<string, unknown>>;
  readonly routes?: readonly unknown[] | undefined;
  readonly workers_dev?: boolean | undefined;
}

/** The placeholder in wrangler.toml for the id of the database. */
export const NO_DATABASE = '00000000-0000-0000-0000-000000000000';

/** The missing settings for a deployment, one sentence each. `args` are the command line's. */
export function missingSettings(
  { d1_databases: databases, routes = [], vars, workers_dev: workersDev }: Production,
  args: readonly string[],
): string[] {
  const gateway = /\bGATEWAY:(\w+)/.exec(args.join(' '))?.[1] ?? vars['GATEWAY'];
  const missing: string[] = [];
  if ((databases[0]?.database_id ?? NO_DATABASE) === NO_DATABASE) {
    missing.push(
      '[[env.production.d1_databases]]: set database_id to the id that `wrangler d1 create` printed.',
    );
  }
  if (gateway !== 'stripe' && gateway !== 'sandbox') {
    missing.push(
      '[env.production.vars]: set GATEWAY to "stripe", or to "sandbox" to take no real money.',
    );
  }
  if (!vars['PUBLIC_BASE_URL'] && !/\bPUBLIC_BASE_URL:\S/.test(args.join(' '))) {
    missing.push(
      '[env.production.vars]: set PUBLIC_BASE_URL to the https address of the service, such as "https://pay.hotel.com".',
    );
  }
  if (routes.length === 0 && workersDev !== true) {
    missing.push(
      '[[env.production.routes]]: set a domain, or workers_dev = true. Nobody can reach the service without one.',
    );
  }
  return missing;
}
