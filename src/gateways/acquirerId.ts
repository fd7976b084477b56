import { z } from 'zod';

/** How an acquirer writes its ids. They become parts of URLs, so they may contain only these characters. */
export const ACQUIRER_ID = /^[A-Za-z0-9_]{1,200}$/;

/** An acquirer's id that arrives from outside. */
export const acquirerId = z.string().regex(ACQUIRER_ID);
