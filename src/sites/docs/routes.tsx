import { serveAsset } from '../../http/assets.ts';
import type { AppContext } from '../../http/context.ts';
import type { OpenApiDocument } from '../../http/openApiDocument.ts';
import type { Api } from '../../http/operation.ts';
import { page, pagePolicy } from '../web/page.tsx';
import { type Entry, entriesOf } from './document.ts';
import { type GuideSource, guides } from './pages/guides.tsx';
import { DocsLayout, Lines, ProseLine, type SideList } from './pages/layout.tsx';
import { OperationPage } from './pages/operation.tsx';
import { found } from './search.ts';

/** The pages load and call this service alone. */
const POLICY = pagePolicy(["script-src 'self'", "connect-src 'self'"]);

/**
 * `GET /docs`: pages that show the OpenAPI document, which `read` gives, guides, and what a search finds (interface:
 * OpenAPI).
 */
export function registerDocs(
  api: Api,
  read: (c: AppContext) => Promise<OpenApiDocument>,
  testCards: GuideSource['testCards'],
): void {
  api.get('/docs', async (c) => {
    c.header('Content-Security-Policy', POLICY);
    const query = (c.req.query('q') ?? '').trim().slice(0, LONGEST_QUERY);
    const document = await read(c);
    return page(
      c,
      200,
      query === '' ? (
        <IndexPage document={document} />
      ) : (
        <FoundPage document={document} query={query} />
      ),
    );
  });
  const showEntry = async (c: AppContext): Promise<Response> => {
    const document = await read(c);
    const path = c.req.path.toLowerCase();
    const entry = entriesOf(document).find((one) => one.page === path);
    if (!entry) return c.notFound();
    c.header('Content-Security-Policy', POLICY);
    const url = document.servers[0]?.url ?? '';
    const { schemas } = document.components;
    const side = [guideLinks(), groupLinks(document, entry)];
    return page(c, 200, <OperationPage entry={entry} schemas={schemas} side={side} url={url} />);
  };
  api.get('/docs/operations/*', showEntry);
  api.get('/docs/messages/:name', showEntry);
  api.get('/docs/guides/:name', async (c) => {
    const shown = guides.find((one) => one.page === c.req.path.toLowerCase());
    if (!shown) return c.notFound();
    c.header('Content-Security-Policy', POLICY);
    const content = shown.content({ document: await read(c), testCards });
    return page(
      c,
      200,
      <DocsLayout title={shown.title} side={[guideLinks(shown.page)]}>
        {content}
      </DocsLayout>,
    );
  });
  api.get('/docs/:file', serveAsset);
}

const LONGEST_QUERY = 100;

function guideLinks(current = ''): SideList[number] {
  const links = guides.map(({ page: href, title: name }) => ({
    href,
    name,
    isCurrent: href === current,
  }));
  return { heading: 'Guides', links };
}

const tagOf = ({ operation }: Entry) => operation.tags?.[0];

/** The operations of the same group as one of them; or the messages, where that is one. */
function groupLinks(document: OpenApiDocument, current: Entry): SideList[number] {
  const heading = document.tags.find(({ name }) => name === tagOf(current))?.description ?? '';
  const links = entriesOf(document)
    .filter((one) => tagOf(one) === tagOf(current) && one.isSent === current.isSent)
    .map(({ name, page: href }) => ({ href, name, isCurrent: href === current.page }));
  return { heading: withoutStop(heading), links };
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

function FoundPage({ document, query }: Readonly<{ document: OpenApiDocument; query: string }>) {
  const entries = found(document, query);
  return (
    <DocsLayout title="Search" side={[guideLinks()]} query={query}>
      <section>
        <h2>
          {entries.length === 1 ? '1 result' : `${entries.length} results`} for <bdi>{query}</bdi>
        </h2>
        <EntryList entries={entries} />
      </section>
    </DocsLayout>
  );
}

/** The page that lists every operation, and every message that the service sends, by their groups. */
function IndexPage({ document }: { readonly document: OpenApiDocument }) {
  const { info, tags, servers } = document;
  const byTag = Map.groupBy(entriesOf(document), tagOf);
  const token = `curl -sS -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials ${servers[0]?.url ?? ''}/auth/v1/token`;
  return (
    <DocsLayout title={info.title} isFirst side={[guideLinks()]}>
      <section>
        <ProseLine text={info.description} />
        <p>
          Begin with <a href="/docs/guides/first-charge">your first charge</a>. Calls carry an
          access token as <code>Authorization: Bearer</code>. Get one with your client ID and
          secret, on any operation page or with:
        </p>
        <Lines name="Get an access token" text={token} />
      </section>
      {tags.map(({ name, description }) => (
        <section>
          <h2 id={name}>{withoutStop(description)}</h2>
          <EntryList entries={byTag.get(name) ?? []} />
        </section>
      ))}
    </DocsLayout>
  );
}

function EntryList({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <ul class="operations">
      {entries.map(({ name: path, method, isSent, page, operation }) => (
        <li>
          <a href={page}>{path}</a> {operation.summary}
          {isSent && ' (the service sends it)'}
          {method === 'GET' && ' (GET)'}
        </li>
      ))}
    </ul>
  );
}
