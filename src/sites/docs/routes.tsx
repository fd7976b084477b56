import { serveAsset } from '../../http/assets.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { page, pagePolicy } from '../web/page.ts';
import { entriesOf, type OpenApiDocument } from './document.ts';
import { IndexPage } from './pages/index.tsx';
import { OperationPage } from './pages/operation.tsx';

/** The pages load and call this service alone. */
const POLICY = pagePolicy("script-src 'self'", "connect-src 'self'");

/** `GET /docs`: pages that show the OpenAPI document, which `read` gives (interface: OpenAPI). */
export function registerDocs(api: Api, read: (c: AppContext) => OpenApiDocument): void {
  api.get('/docs', (c) => {
    c.header('Content-Security-Policy', POLICY);
    return page(c, 200, <IndexPage document={read(c)} />);
  });
  const showEntry = (c: AppContext): Response | Promise<Response> => {
    const document = read(c);
    const path = c.req.path.toLowerCase();
    const entry = entriesOf(document).find((one) => one.page === path);
    if (!entry) return c.notFound();
    c.header('Content-Security-Policy', POLICY);
    const url = document.servers[0]?.url ?? '';
    return page(
      c,
      200,
      <OperationPage entry={entry} schemas={document.components.schemas} url={url} />,
    );
  };
  api.get('/docs/operations/*', showEntry);
  api.get('/docs/messages/:name', showEntry);
  api.get('/docs/:file', serveAsset);
}
