import { z } from '@hono/zod-openapi';

/** A time of an answer: ISO 8601, in UTC or with the offset of the property's zone. */
export const shownTime = z
  .string()
  .openapi({ format: 'date-time', example: '2027-02-10T09:00:00+08:00' });

/** An object of the interface, with its name in the OpenAPI document. */
export function named<Shape extends z.ZodRawShape>(name: string, shape: Shape) {
  return z.object(shape).openapi(name);
}
