import type { Schemas } from '../../../http/openApiDocument.ts';
import { Records } from '../../web/table.tsx';
import { answerOf, bodyOf, type Entry } from '../document.ts';
import { described, type Member, membersOf } from '../members.ts';
import { DocsLayout, Lines, Prose, ProseLine, type SideList } from './layout.tsx';
import { canTry, TryIt } from './tryIt.tsx';

/** The page of one operation, or of one message that the service sends: its fields, its answers, and a form to try it. */
export function OperationPage(
  page: Readonly<{ entry: Entry; side: SideList; schemas: Schemas; url: string }>,
) {
  const { entry, schemas, side, url } = page;
  const { operation, method, name, isSent } = entry;
  const body = bodyOf(operation);
  const parameters = (operation.parameters ?? []).map(
    ({ name: path, required = false, description = '', schema = {} }) => ({
      path,
      required,
      ...described(schema, schemas),
      description,
    }),
  );
  return (
    <DocsLayout title={operation.summary ?? name} script={canTry(entry)} side={side}>
      <section>
        <p>
          <code>{isSent ? name : `${method} ${name}`}</code>
        </p>
        <ProseLine text={operation.description ?? ''} />
        <Members caption="Headers and parameters" members={parameters} />
        {body?.schema && (
          <Members caption="Members of the body" members={membersOf(body.schema, schemas)} />
        )}
      </section>
      {isSent ? (
        <section>
          <h2>Example</h2>
          <Lines name="Example" text={JSON.stringify(body?.example, null, 2)} />
        </section>
      ) : (
        <TryIt entry={entry} url={url} />
      )}
      <Answers entry={entry} schemas={schemas} />
    </DocsLayout>
  );
}

function Members({ caption, members }: Readonly<{ caption: string; members: readonly Member[] }>) {
  if (members.length === 0) return null;
  return (
    <Records
      caption={caption}
      rows={members}
      columns={[
        { name: 'name', text: ({ path }) => path },
        {
          name: 'type',
          cell: ({ required, type }) => <Prose text={required ? `required, ${type}` : type} />,
        },
        { name: 'meaning', cell: ({ description }) => <Prose text={description} /> },
      ]}
    />
  );
}

function Answers({ entry, schemas }: { readonly entry: Entry; readonly schemas: Schemas }) {
  const { operation } = entry;
  const answer = answerOf(operation);
  const statuses = Object.entries(operation.responses).filter(([status]) => status !== '200');
  return (
    <section>
      <h2>{entry.isSent ? 'Replies' : 'Answers'}</h2>
      {answer?.example !== undefined && (
        <Lines name="Example of the answer" text={JSON.stringify(answer.example, null, 2)} />
      )}
      {answer?.schema && (
        <details>
          <summary>Members of the answer</summary>
          <Members caption="Members of the answer" members={membersOf(answer.schema, schemas)} />
        </details>
      )}
      <dl class="statuses">
        {statuses.map(([status, { description = '' }]) => (
          <div>
            <dt>{status}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
