import { html } from 'hono/html';
import { serveAsset } from '../http/assets.ts';
import type { Api } from '../http/operation.ts';
import { serverProblemResponses } from '../http/responses.ts';

/** The page loads everything from this service. Swagger UI sets inline styles from its script. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `GET /openapi.json`, and `GET /docs`, the page that shows it. */
export function registerDocs(api: Api): void {
  let document: string | undefined;
  api.get('/openapi.json', (c) => {
    document ??= JSON.stringify(openApiDocument(api));
    return c.body(document, 200, { 'Content-Type': 'application/json' });
  });
  api.get('/docs', (c) => {
    c.header('Content-Security-Policy', PAGE_POLICY);
    return c.html(page());
  });
  api.get('/docs/:file', serveAsset);
}

function openApiDocument(api: Api): object {
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token from POST /auth/v1/token.',
  });
  api.openAPIRegistry.registerComponent('securitySchemes', 'basic', {
    type: 'http',
    scheme: 'basic',
    description: 'An export user from POST /admin/v1/export-user/create.',
  });
  const document = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Bookings and payments',
      version: '1.0.0',
      description:
        'Links a booking engine to a property management system: bookings, cards, charges. ' +
        'Every answer has `success`. Every failure is `application/problem+json`.',
    },
    security: [{ bearer: [] }],
  });
  for (const { get, post } of Object.values(document.paths ?? {})) {
    for (const operation of [get, post]) {
      if (operation) operation.responses = { ...serverProblemResponses(), ...operation.responses };
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
