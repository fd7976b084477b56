import { z } from 'zod';

/** An acquirer's id that arrives from outside. It becomes part of a URL, so it may contain only these characters. */
export const acquirerId = z.string().regex(/^[A-Za-z0-9_]{1,200}$/);
