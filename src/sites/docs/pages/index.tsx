import { type Entry, entriesOf, type OpenApiDocument } from '../document.ts';
import { DocsLayout, Lines, Prose } from './layout.tsx';

/** The page that lists every operation, and every message that the service sends, by their groups. */
export function IndexPage({ document }: { readonly document: OpenApiDocument }) {
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
