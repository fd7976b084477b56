import { z } from 'zod';

/** An id of an acquirer's that others tell us: it becomes part of an address there, so that nothing else may stand in it. */
export const acquirerId = z.string().regex(/^[A-Za-z0-9_]{1,200}$/);
