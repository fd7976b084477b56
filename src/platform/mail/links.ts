import type { Env } from '../env.ts';

/**
 * The base of links in messages that no request causes, without a slash at the end: `PUBLIC_BASE_URL`, which a deployment
 * has, or where a local start serves.
 */
export function publicBaseUrl({
  LOCAL_BASE_URL,
  PUBLIC_BASE_URL,
}: Pick<Env, 'PUBLIC_BASE_URL' | 'LOCAL_BASE_URL'>): string {
  return (PUBLIC_BASE_URL || LOCAL_BASE_URL || 'http://localhost').replace(/\/+$/, '');
}
