import { answerOf, bodyOf, type Entry, type Parameter, type Schemas } from '../document.ts';
import { described, type Member, membersOf } from '../members.ts';
import { DocsLayout, Lines, Prose } from './layout.tsx';
import { canTry, TryIt } from './tryIt.tsx';

/** The page of one operation, or of one message that the service sends: its fields, its answers, and a form to try it. */
export function OperationPage({
  entry,
  schemas,
  url,
}: {
  readonly entry: Entry;
  readonly schemas: Schemas;
  /** Where the service is. */
  readonly url: string;
}) {
  const { operation, method, name, isSent } = entry;
  const body = bodyOf(operation);
  return (
    <DocsLayout title={operation.summary ?? name} script={canTry(entry)}>
      <section>
        <p>
          <code>{isSent ? name : `${method} ${name}`}</code>
        </p>
        <p>
          <Prose text={operation.description ?? ''} />
        </p>
        <Parameters parameters={operation.parameters ?? []} schemas={schemas} />
        {body?.schema && <Members of="body" members={membersOf(body.schema, schemas)} />}
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

function Parameters({
  parameters,
  schemas,
}: {
  readonly parameters: readonly Parameter[];
  readonly schemas: Schemas;
}) {
  if (parameters.length === 0) return null;
  return (
    <Rows
      caption="Headers and parameters"
      rows={parameters.map(({ name, required = false, description = '', schema = {} }) => ({
        path: name,
        required,
        ...described(schema, schemas),
        description,
      }))}
    />
  );
}

function Members({ of, members }: { readonly of: string; readonly members: readonly Member[] }) {
  return members.length === 0 ? null : <Rows caption={`Members of the ${of}`} rows={members} />;
}

/** A table that scrolls sideways on narrow screens, also by keyboard. */
function Rows({ caption, rows }: { readonly caption: string; readonly rows: readonly Member[] }) {
  return (
    <section class="scroll" aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {['name', 'type', 'meaning'].map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ path, required, type, description }) => (
            <tr>
              <th scope="row">{path}</th>
              <td>
                <Prose text={required ? `required, ${type}` : type} />
              </td>
              <td>
                <Prose text={description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
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
          <Members of="answer" members={membersOf(answer.schema, schemas)} />
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
