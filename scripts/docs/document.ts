/** The OpenAPI document and the columns of the exports, as the code makes them in this process: no service is started. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import recorded from '../../examples/recorded.json' with { type: 'json' };
import requests from '../../examples/requests.json' with { type: 'json' };
import type { OpenApiDocument } from '../../src/http/openApiDocument.ts';

// What Node cannot read by itself: the runtime's own module, of which only a class is needed, and JSX.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'cloudflare:workers'
      ? { url: 'data:text/javascript,export class DurableObject {}', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url.endsWith('.tsx')
      ? { format: 'module', source: withoutJsx(fileURLToPath(url)), shortCircuit: true }
      : next(url, context),
});

const { createApp } = await import('../../src/app.ts');
const { openApiDocument } = await import('../../src/api/openApi/document.ts');

export const { bigQuerySchema } = await import('../../src/exports/rules/bigQuery.ts');

/** The document. Its examples hold times of now. */
export const document: OpenApiDocument = openApiDocument(
  createApp(),
  { recorded, requests },
  'http://127.0.0.1:8787',
  Date.now(),
);

function withoutJsx(file: string): string {
  return transformSync(readFileSync(file, 'utf8'), {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic', importSource: 'hono/jsx' } },
      target: 'es2024',
    },
  }).code;
}
