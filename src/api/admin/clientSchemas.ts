import { z } from '@hono/zod-openapi';
import { code, identifier, name } from '../../http/fields.ts';
import { nextPage, pageFields } from '../../http/listFields.ts';
import { propertyScopes, type Scope } from '../../records/clients/rules/scopes.ts';
import { clientSchema } from '../../records/clients/views.ts';

const clientName = name(100).openapi({ example: 'Booking engine' });

/** More than there are. A list without a bound would be answered with a line for each of its entries. */
const MOST_SCOPES = 50;

const scopes = z
  .array(z.enum(propertyScopes as [Scope, ...Scope[]]))
  .min(1)
  .max(MOST_SCOPES);

/** The body of `client/create`. */
export const clientBody = z.object({
  property: identifier,
  scopes: scopes.describe('what it may do: see Scopes'),
  name: clientName.optional().describe('for people'),
});

/** The answer of `client/create`. */
export const newClientAnswer = z.object({
  success: z.literal(true),
  clientId: z.string().describe('for access tokens'),
  clientSecret: z.string().describe('in this answer only'),
});

/** The body of `client/put`: what is left out stays. */
export const clientPutBody = z.object({
  clientId: code(100),
  scopes: scopes.optional().describe('as they were when left out'),
  name: clientName.nullable().optional().describe('`null` takes it away'),
});

/** The answer of `client/put`. */
export const clientAnswer = z.object({ success: z.literal(true), client: clientSchema });

/** The body of `client/list`. */
export const clientsBody = z.object({
  property: identifier.optional().describe('only its clients'),
  ...pageFields,
});

/** The answer of `client/list`. */
export const clientsAnswer = z.object({
  success: z.literal(true),
  clients: z.array(clientSchema),
  nextCursor: nextPage,
});
