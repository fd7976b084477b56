/** Stripe's lists and expanded answers. */
import { type Answer, done, refused } from './stripeObjects.ts';

interface Listed {
  readonly id: string;
  readonly created: number;
}

/** Finds any object by its id. */
export type FindObject = (id: string) => object | undefined;

const DEFAULT_LIMIT = 10;
const MOST = 100;

/**
 * A page of a list, newest first: `limit` of 1 to 100 (10 without one), objects with a fitting `created`, after or
 * before a named one. `all` is oldest first.
 */
export function listed(all: readonly Listed[], params: URLSearchParams, find: FindObject): Answer {
  const limit = Number(params.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) {
    return refused(400, { param: 'limit', message: 'This value must be between 1 and 100' });
  }
  const found = all.toReversed().filter(({ created }) => fits(created, params));
  const after = params.get('starting_after');
  const before = params.get('ending_before');
  const named = found.findIndex(({ id }) => id === (after ?? before));
  if ((after ?? before) !== null && named === -1) {
    return refused(400, { code: 'resource_missing', param: 'starting_after', message: 'No such' });
  }
  const [from, until] = edges(found.length, named, limit, before !== null);
  const body = {
    object: 'list',
    data: found.slice(from, until),
    has_more: before === null ? until < found.length : from > 0,
    url: '/v1/list',
  };
  return answered(body, params, find);
}

function edges(
  length: number,
  named: number,
  limit: number,
  backwards: boolean,
): readonly [number, number] {
  if (backwards) return [Math.max(0, named - limit), named];
  const from = named + 1;
  return [from, Math.min(length, from + limit)];
}

function fits(created: number, params: URLSearchParams): boolean {
  const bound = (name: string) => {
    const value = params.get(`created[${name}]`);
    return value === null ? null : Number(value);
  };
  const [gte, gt, lte, lt] = [bound('gte'), bound('gt'), bound('lte'), bound('lt')];
  return (
    (gte === null || created >= gte) &&
    (gt === null || created > gt) &&
    (lte === null || created <= lte) &&
    (lt === null || created < lt)
  );
}

/** An object with the references that the request expands. */
export function answered(body: object, params: URLSearchParams, find: FindObject): Answer {
  const copy = structuredClone(body);
  for (const [name, path] of params) {
    if (!name.startsWith('expand')) continue;
    if (!expanded(copy, path.split('.'), find)) {
      return refused(400, { message: `This property cannot be expanded (${path}).` });
    }
  }
  return done(copy);
}

/** Expands one path in place; false if there is no such property. */
function expanded(
  object: Record<string, unknown> | object,
  [name = '', ...rest]: readonly string[],
  find: FindObject,
): boolean {
  const holder = object as Record<string, unknown>;
  if (!(name in holder)) return false;
  const value = holder[name];
  if (Array.isArray(value)) {
    return value.every((one: object) => expanded(one, rest, find));
  }
  const reached =
    typeof value === 'string' ? structuredClone(find(value) ?? value) : (value ?? null);
  holder[name] = reached;
  if (rest.length === 0 || typeof reached !== 'object' || reached === null) return true;
  // A source may be of several kinds: what one of them does not have is no fault of the request.
  return expanded(reached, rest, find) || name === 'source';
}
