import { variants } from '../../src/exports/rules/variants.ts';
import type {
  OpenApiDocument,
  Operation,
  Schema,
  Schemas,
} from '../../src/http/openApiDocument.ts';
import { answerOf, bodyOf } from '../../src/sites/docs/document.ts';
import { schemaOfColumns } from './columns.ts';
import { bigQuerySchema } from './document.ts';

/** What a table is made of. */
type Kind = 'members' | 'body' | 'answer' | 'message' | 'push' | 'reply' | 'columns';

/** A marker of a page, and the part of the text that is made from it. */
export interface Marker {
  readonly kind: Kind;
  /** A schema, or a member of it as `TransactionEvent/data`; the path of an operation; the type of a message; an export. */
  readonly name: string;
  /** The member that has the schema: `problems[]`. */
  readonly of: string;
  /** The members that are told; all if there are none. */
  readonly only: readonly string[];
  /** Where the part begins and ends. */
  readonly begin: number;
  readonly end: number;
}

const MARKER =
  /<!-- (?<kind>members|body|answer|message|push|reply|columns) of (?<name>\S+?)(?: as (?<of>\S+?))?(?:: (?<only>[\w, ]+?))? -->(?<made>[\s\S]*?)(?=<!-- end -->)/g;

/** The members that every message from a PMS has (pms: Envelope). */
const ENVELOPE = ['Authentication', 'MessageType', 'MessageID', 'TimeStamp'];

/** The markers of a page, in their order. */
export function markersOf(text: string): Marker[] {
  return [...text.matchAll(MARKER)].map(({ index, 0: whole, groups = {} }) => ({
    kind: groups['kind'] as Kind,
    name: groups['name'] ?? '',
    of: groups['of'] ?? '',
    only: groups['only']?.split(', ') ?? [],
    begin: index + whole.length - (groups['made'] ?? '').length,
    end: index + whole.length,
  }));
}

/** The schema that a marker names. */
export function schemaOf(document: OpenApiDocument, { kind, name }: Marker): Schema {
  const { components, paths, webhooks } = document;
  const operation = paths[name]?.['post'] ?? paths[name]?.['get'];
  const push = webhooks[name]?.['post'];
  const schema = {
    members: () => memberSchema(components.schemas, name),
    body: () => operation && bodyOf(operation)?.schema,
    answer: () => operation && answerOf(operation)?.schema,
    message: () => messageSchema(paths['/pms/v1/message']?.['post'], name),
    push: () => push && bodyOf(push)?.schema,
    reply: () => push && answerOf(push)?.schema,
    columns: () => {
      const variant = variants.find((one) => one === name);
      return variant && schemaOfColumns(bigQuerySchema(variant));
    },
  }[kind]();
  if (!schema) throw new Error(`The document has no ${kind} of ${name}`);
  return schema;
}

function memberSchema(schemas: Schemas, name: string): Schema | undefined {
  const [whole = '', ...within] = name.split('/');
  return within.reduce((of, member) => of?.properties?.[member], schemas[whole]);
}

/** The own members of a message that a PMS sends. */
function messageSchema(post: Operation | undefined, type: string): Schema | undefined {
  const kinds = (post && bodyOf(post)?.schema?.anyOf) ?? [];
  const kind = kinds.find(({ properties }) => properties?.['MessageType']?.enum?.[0] === type);
  return (
    kind && {
      ...kind,
      properties: Object.fromEntries(
        Object.entries(kind.properties ?? {}).filter(([name]) => !ENVELOPE.includes(name)),
      ),
    }
  );
}
