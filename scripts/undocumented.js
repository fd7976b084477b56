import { Hono } from 'hono';

/** What stands for `@hono/zod-openapi` in the bundle (`bundleWorker.ts`), without what makes the OpenAPI document. */
export class OpenAPIHono extends Hono {}
