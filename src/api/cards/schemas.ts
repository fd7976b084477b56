import { z } from '@hono/zod-openapi';
import { cardSchema } from '../../records/cards/views.ts';

/** The answer of tokenize. */
export const tokenizeAnswer = z.object({ success: z.literal(true), card: cardSchema });
