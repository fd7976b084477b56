/** Asks wrangler who is signed in to Cloudflare, before anything else is done. */
import type { Wrangler } from './wrangler.ts';

/** An account that the login reaches. */
interface Account {
  readonly id: string;
  readonly name: string;
}

/** Where the account comes from when the login reaches several. */
interface Chosen {
  /** `CLOUDFLARE_ACCOUNT_ID`. */
  readonly fromEnvironment: string | undefined;
  /** `account_id` of wrangler.toml. */
  readonly fromConfig: string | undefined;
}

const SIGN_IN = `Sign in first:

  npx wrangler login

Where no browser is, set CLOUDFLARE_API_TOKEN instead. Create the token in Cloudflare's dashboard.`;

/** What keeps the login from being used, and what to do about it; null when the login is good. */
export async function loginProblem(wrangler: Wrangler, chosen: Chosen): Promise<string | null> {
  const { ok, stdout, output } = await wrangler.run('whoami', '--json');
  const accounts = ok ? accountsIn(stdout) : null;
  if (accounts === null) {
    const said = isPlainNo(stdout) ? '' : `\n\nWrangler said:\n${output}`;
    return `Nobody is signed in to Cloudflare. ${SIGN_IN}${said}`;
  }
  if (chosen.fromEnvironment || chosen.fromConfig || accounts.length === 1) return null;
  if (accounts.length === 0) return `This login reaches no account. ${SIGN_IN}`;
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  return `This login reaches several accounts. Set CLOUDFLARE_ACCOUNT_ID to one of them:\n\n${list}`;
}

/** The accounts in wrangler's answer; null when it names nobody. */
function accountsIn(stdout: string): readonly Account[] | null {
  const answer = parsed(stdout);
  return answer?.loggedIn === true ? (answer.accounts ?? []) : null;
}

/** Whether wrangler answered nothing but that nobody is signed in. */
function isPlainNo(stdout: string): boolean {
  return parsed(stdout)?.loggedIn === false;
}

function parsed(stdout: string): { loggedIn?: boolean; accounts?: readonly Account[] } | null {
  try {
    return JSON.parse(stdout);
  } catch {
    return null;
  }
}
