import type { Env } from './env.ts';

/** Where the platform can make an object, in its own words. */
const REGIONS = [
  'wnam',
  'enam',
  'sam',
  'weur',
  'eeur',
  'apac',
  'apac-ne',
  'apac-se',
  'oc',
  'afr',
  'me',
] as const satisfies readonly DurableObjectLocationHint[];

/** Whether `OBJECTS_NEAR` names a place that the platform knows, or none. */
export function isRegion(near: string | undefined): near is (typeof REGIONS)[number] | undefined {
  return near === undefined || (REGIONS as readonly string[]).includes(near);
}

/**
 * The object with a name. A new one is made near the databases, where the deployment says where those are, not near its first
 * caller: it asks them several times for each call.
 */
export function objectNamed<T extends Rpc.DurableObjectBranded>(
  { OBJECTS_NEAR: near }: Pick<Env, 'OBJECTS_NEAR'>,
  namespace: DurableObjectNamespace<T>,
  name: string,
): DurableObjectStub<T> {
  const hint = near !== undefined && isRegion(near) ? { locationHint: near } : {};
  return namespace.getByName(name, hint);
}
