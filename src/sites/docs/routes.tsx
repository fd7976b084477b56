import { serveAsset } from '../../http/assets.ts';
import type { AppContext } from '../../http/context.ts';
import type { OpenApiDocument } from '../../http/openApiDocument.ts';
import type { Api } from '../../http/operation.ts';
import { page, pagePolicy } from '../web/page.tsx';
import { type Entry, entriesOf } from './document.ts';
import { DocsLayout, Lines, Prose } from './pages/layout.tsx';
import { OperationPage } from './pages/operation.tsx';

/** The pages load and call this service alone. */
const POLICY = pagePolicy(["script-src 'self'", "connect-src 'self'"]);

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

/** The page that lists every operation, and every message that the service sends, by their groups. */
function IndexPage({ document }: { readonly document: OpenApiDocument }) {
  const { info, tags, servers } = document;
  const byTag = Map.groupBy(entriesOf(document), ({ operation }) => operation.tags?.[0]);
  const token = `curl -sS -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials ${servers[0]?.url ?? ''}/auth/v1/token`;
  return (
    <DocsLayout title={info.title} isFirst>
      <section>
        <p>
          <Prose text={info.description} />
        </p>
        <p>
          Calls carry an access token as <code>Authorization: Bearer</code>. A client gets one with
          its id and secret, on the page of any operation or so:
        </p>
        <Lines name="Get an access token" text={token} />
      </section>
      {tags.map(({ name, description }) => (
        <Group name={name} description={description} entries={byTag.get(name) ?? []} />
      ))}
    </DocsLayout>
  );
}

function Group({
  name,
  description,
  entries,
}: {
  readonly name: string;
  readonly description: string;
  readonly entries: readonly Entry[];
}) {
  return (
    <section>
      <h2 id={name}>{description}</h2>
      <ul class="operations">
        {entries.map(({ name: path, method, isSent, page, operation }) => (
          <li>
            <a href={page}>{path}</a> {operation.summary}
            {isSent && ' (the service sends it)'}
            {method === 'GET' && ' (GET)'}
          </li>
        ))}
      </ul>
    </section>
  );
}
