/** What wrangler.toml says of production, as far as a deployment depends on it. */
export interface Production {
  readonly d1_databases: readonly { readonly database_id?: string }[];
  readonly vars: Readonly<Record<string, unknown>>;
  readonly routes?: readonly unknown[] | undefined;
  readonly workers_dev?: boolean | undefined;
}

/** The id that stands in wrangler.toml until a database was made. */
const NO_DATABASE = '00000000-0000-0000-0000-000000000000';

/** What has to be set before production can be deployed, a sentence each; `args` are those of the command line. */
export function missingSettings(
  { d1_databases: databases, routes = [], vars, workers_dev: workersDev }: Production,
  args: readonly string[],
): string[] {
  const gateway = /\bGATEWAY:(\w+)/.exec(args.join(' '))?.[1] ?? vars['GATEWAY'];
  const missing: string[] = [];
  if ((databases[0]?.database_id ?? NO_DATABASE) === NO_DATABASE) {
    missing.push('[[env.production.d1_databases]] needs the id that `wrangler d1 create` printed.');
  }
  if (gateway !== 'stripe' && gateway !== 'sandbox') {
    missing.push(
      '[env.production.vars] needs GATEWAY = "stripe", or "sandbox" where no real money is to be taken.',
    );
  }
  if (routes.length === 0 && workersDev !== true) {
    missing.push(
      '[[env.production.routes]] needs a domain, or workers_dev = true: else nobody can reach it.',
    );
  }
  return missing;
}
