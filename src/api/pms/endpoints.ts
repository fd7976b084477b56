import { z } from '@hono/zod-openapi';
import type { Scope } from '../../records/clients/scopes.ts';
import type { MessageHandler } from './handler.ts';
import { handlers } from './handlers.ts';

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
  endpoint('/rates/v1/push', 'Set rates', ['SetRates']),
  withOldName(
    endpoint('/rates/v1/push-restrictions', 'Set rate restrictions', ['SetRateRestrictions']),
    'SetRates',
  ),
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

/** The endpoint of one type of message, which some PMSs call by the name of another. */
function withOldName(own: MessageEndpoint, name: string): MessageEndpoint {
  const renamed = [...own.handlers.values()].map((handler): [string, MessageHandler] => {
    const message = handler.openApi.message.extend({ MessageType: z.literal(name) });
    return [name, { ...handler, openApi: { ...handler.openApi, message } }];
  });
  return { ...own, handlers: new Map([...own.handlers, ...renamed]) };
}

/** The scopes of an endpoint's message types. */
export function scopesOf(endpoint: MessageEndpoint): Scope[] {
  return [...new Set([...endpoint.handlers.values()].map(({ scope }) => scope))];
}

/** The largest size limit of an endpoint's message types, in bytes. */
export function limitOf(endpoint: MessageEndpoint): number {
  return Math.max(...[...endpoint.handlers.values()].map(({ limitBytes }) => limitBytes));
}
