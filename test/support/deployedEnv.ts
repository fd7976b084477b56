import type { Env } from '../../src/platform/env.ts';
import { testEnv } from './api.ts';

/** The bindings as a deployment with the sandbox acquirer has them: with a key of its own, and not in local mode. */
export function deployedEnv(): Env {
  const { LOCAL_MODE: _local, ...bindings } = testEnv;
  return {
    ...bindings,
    GATEWAY: 'sandbox',
    PUBLIC_BASE_URL: 'https://pay.hotel.com',
    KEYRING: `k1:${btoa('0123456789abcdef0123456789abcdef')}`,
  };
}
