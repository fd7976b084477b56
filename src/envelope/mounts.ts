import type { Scope } from '../clients/scopes.ts';
import type { MessageHandler } from './handler.ts';
import { handlers } from './handlers.ts';

/** An address at which messages are taken, and what is done with the types that it takes. */
export interface Mount {
  readonly path: `/${string}`;
  readonly summary: string;
  readonly handlers: ReadonlyMap<string, MessageHandler>;
}

/** Every mount (decisions: section 8). All work alike: a mount only says which types it takes. */
export const mounts: readonly Mount[] = [
  mount('/ping/v1', 'Ping', ['Ping']),
  mount('/property-info/v1/get', 'The rooms and rates that the PMS told of', ['GetPropertyInfo']),
  mount('/rooms/v1/get-inventory', 'A room type by night: prices, availability, restrictions', [
    'GetInventory',
  ]),
  mount('/rooms/v1/push', 'Set availability', ['SetInventory']),
  mount('/rates/v1/push', 'Set rates', ['SetRates']),
  mount('/rates/v1/push-restrictions', 'Set restrictions of rates', ['SetRateRestrictions']),
  mount('/pms/v1/message', 'Any message of a PMS', [...handlers.keys()]),
];

function mount(path: Mount['path'], summary: string, types: readonly string[]): Mount {
  const taken = [...handlers].filter(([type]) => types.includes(type));
  return { path, summary, handlers: new Map(taken) };
}

/** The scopes that the types of a mount need. */
export function scopesOf(mount: Mount): Scope[] {
  return [...new Set([...mount.handlers.values()].map(({ scope }) => scope))];
}

/** How large the largest message of a mount may be. */
export function limitOf(mount: Mount): number {
  return Math.max(...[...mount.handlers.values()].map(({ limitBytes }) => limitBytes));
}
