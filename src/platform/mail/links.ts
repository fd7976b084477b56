import type { Config } from '../config.ts';
import type { Env } from '../env.ts';

/**
 * The base of links in messages that no request causes, without a slash at the end: `PUBLIC_BASE_URL`, or where a local
 * start serves. Null if a deployment does not say.
 */
export function publicBaseUrl(
  { PUBLIC_BASE_URL, LOCAL_BASE_URL }: Pick<Env, 'PUBLIC_BASE_URL' | 'LOCAL_BASE_URL'>,
  { local }: Pick<Config, 'local'>,
): string | null {
  const base = PUBLIC_BASE_URL || (local ? (LOCAL_BASE_URL ?? 'http://localhost') : null);
  return base === null ? null : base.replace(/\/+$/, '');
}
