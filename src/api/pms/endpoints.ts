import type { Scope } from '../../records/clients/rules/scopes.ts';
import type { MessageHandler } from './handler.ts';
import { handlers, setRateRestrictions } from './handlers.ts';

/** A path that receives messages from PMSs, and the handlers of the message types that it accepts. */
export interface MessageEndpoint {
  readonly path: `/${string}`;
  readonly summary: string;
  readonly handlers: ReadonlyMap<string, MessageHandler>;
}

/** Every endpoint for messages (pms: Messages from the PMS). They differ only in the message types that they accept. */
export const messageEndpoints: readonly MessageEndpoint[] = [
  endpoint('/ping/v1', 'Ping', ['Ping']),
  endpoint('/property-info/v1/get', 'Get the room types and rate types of a property', [
    'GetPropertyInfo',
  ]),
  endpoint(
    '/rooms/v1/get-inventory',
    'Get prices, availability and restrictions of a room type, night by night',
    ['GetInventory'],
  ),
  endpoint('/rooms/v1/push', 'Set availability', ['SetInventory']),
  endpoint('/rooms/v1/push-restrictions', 'Set restrictions of room types', [
    'SetRoomRestrictions',
  ]),
  endpoint('/rates/v1/push', 'Set rates', ['SetRates']),
  {
    path: '/rates/v1/push-restrictions',
    summary: 'Set restrictions of rates',
    // Some PMSs send these restrictions under the name of rates, too.
    handlers: new Map(
      (['SetRateRestrictions', 'SetRates'] as const).map((type) => [
        type,
        setRateRestrictions(type),
      ]),
    ),
  },
  endpoint('/pms/v1/message', 'Receive any message from a PMS', [...handlers.keys()]),
];

function endpoint(
  path: MessageEndpoint['path'],
  summary: string,
  types: readonly string[],
): MessageEndpoint {
  const accepted = [...handlers].filter(([type]) => types.includes(type));
  return { path, summary, handlers: new Map(accepted) };
}

/** The first parts of the endpoints' paths: `rooms`, `rates`, … */
const AREAS: ReadonlySet<string | undefined> = new Set(
  messageEndpoints.map(({ path }) => firstPart(path)),
);

/** Whether a path is an endpoint's or a wrong one beside it. Its errors have the members of the envelope. */
export function isMessagePath(path: string): boolean {
  return AREAS.has(firstPart(path));
}

function firstPart(path: string): string | undefined {
  return path.split('/', 2)[1];
}

export function scopesOf(endpoint: MessageEndpoint): Scope[] {
  return [...new Set([...endpoint.handlers.values()].map(({ scope }) => scope))];
}

/** The largest size limit of an endpoint's message types, in bytes. */
export function limitOf(endpoint: MessageEndpoint): number {
  return Math.max(...[...endpoint.handlers.values()].map(({ limitBytes }) => limitBytes));
}
