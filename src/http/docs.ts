import { html } from 'hono/html';
import { serveAsset } from './assets.ts';
import type { Api } from './operation.ts';
import { innerProblemResponses } from './responses.ts';

/** Everything that the page loads comes from this service; Swagger UI sets styles from its script. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `GET /openapi.json` and `GET /docs`, which shows it without loading anything from elsewhere. */
export function registerDocs(api: Api): void {
  let document: string | undefined;
  api.get('/openapi.json', (c) => {
    document ??= JSON.stringify(describe(api));
    return c.body(document, 200, { 'Content-Type': 'application/json' });
  });
  api.get('/docs', (c) => {
    c.header('Content-Security-Policy', PAGE_POLICY);
    return c.html(page());
  });
  api.get('/docs/:file', serveAsset);
}

function describe(api: Api): object {
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token from POST /auth/v1/token.',
  });
  api.openAPIRegistry.registerComponent('securitySchemes', 'basic', {
    type: 'http',
    scheme: 'basic',
    description: 'An export user, made by POST /admin/v1/export-user/create.',
  });
  const document = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Bookings and payments',
      version: '1.0.0',
      description:
        'Links a booking engine to a property management system: bookings, cards, charges. Every answer carries `success`; every failure is `application/problem+json`.',
    },
    security: [{ bearer: [] }],
  });
  for (const { get, post } of Object.values(document.paths ?? {})) {
    for (const operation of [get, post]) {
      if (operation) operation.responses = { ...innerProblemResponses(), ...operation.responses };
    }
  }
  return document;
}

function page() {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Bookings and payments: the interface</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/docs/swagger-ui.css" />
      </head>
      <body>
        <div id="interface"></div>
        <script src="/docs/swagger-ui-bundle.js"></script>
        <script src="/docs/show.js"></script>
      </body>
    </html>`;
}
