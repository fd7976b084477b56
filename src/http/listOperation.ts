import { z } from '@hono/zod-openapi';
import type { Failure } from '../core/failure.ts';
import { andThen, ok, type Result } from '../core/result.ts';
import type { Page, Part } from '../platform/db/page.ts';
import type { Scope } from '../records/clients/rules/scopes.ts';
import {
  boundsInOrder,
  cursorAfter,
  EVERY_PROPERTY,
  type ListName,
  nextPage,
  pageFields,
  partOf,
  type RequestedPage,
} from './listFields.ts';
import {
  type Api,
  adminOperation,
  type Definition,
  type PropertyRequest,
  propertyOperation,
} from './operation.ts';
import type { OperationRequest } from './readRequest.ts';

type Filtered<Filter extends z.ZodRawShape> = z.infer<z.ZodObject<Filter & typeof pageFields>>;

/** A list that is read page by page: what narrows it, and its entries (interface: Pages of a list). */
interface ListDefinition<Filter extends z.ZodRawShape, Entry>
  extends Pick<Definition<object, z.ZodRawShape>, 'path' | 'summary' | 'problems'> {
  readonly list: ListName;
  readonly filter: Filter;
  /** The names of an earlier and a later bound in the filter, which must be in order. */
  readonly inOrder?: readonly [from: string, to: string];
  /** The member of the answer that holds the entries, and its schema. */
  readonly member: string;
  readonly entries: z.ZodType<readonly Entry[]>;
  /** What a cursor is good for: by default the caller's property, for administrators all. */
  readonly ownerOf?: (filter: Filtered<Filter>) => string;
}

type Read<Request, Entry> = (
  request: Request,
  part: Part,
) => Promise<Page<Entry> | Result<Page<Entry>, Failure>>;

/** Registers a list of a property for its clients. */
export function propertyList<Filter extends z.ZodRawShape, Entry>(
  api: Api,
  definition: ListDefinition<Filter, Entry> & { readonly scope: Scope },
  read: Read<PropertyRequest<Filtered<Filter>>, NoInfer<Entry>>,
): void {
  const { ownerOf, scope } = definition;
  propertyOperation(api, { ...operationOf(definition), scope }, (request) => {
    const owner = ownerOf?.(request.body) ?? request.property.id;
    return readPage(definition, owner, request.body as RequestedPage, (part) =>
      read(request, part),
    );
  });
}

/** Registers a list for administrators. */
export function adminList<Filter extends z.ZodRawShape, Entry>(
  api: Api,
  definition: ListDefinition<Filter, Entry>,
  read: Read<OperationRequest<Filtered<Filter>>, NoInfer<Entry>>,
): void {
  adminOperation(api, operationOf(definition), (request) => {
    const owner = definition.ownerOf?.(request.body) ?? EVERY_PROPERTY;
    return readPage(definition, owner, request.body as RequestedPage, (part) =>
      read(request, part),
    );
  });
}

function operationOf<Filter extends z.ZodRawShape, Entry>({
  entries,
  filter,
  inOrder,
  member,
  path,
  problems = [],
  summary,
}: ListDefinition<Filter, Entry>) {
  const fields: z.ZodObject = z.object({ ...filter, ...pageFields });
  const body = inOrder ? fields.check(boundsInOrder(...inOrder)) : fields;
  return {
    path,
    summary,
    problems,
    body: () => body as unknown as z.ZodType<Filtered<Filter>>,
    answer: { [member]: entries, nextCursor: nextPage },
  };
}

async function readPage<Entry>(
  { list, member }: { readonly list: ListName; readonly member: string },
  owner: string,
  requested: RequestedPage,
  readPart: (part: Part) => Promise<Page<Entry> | Result<Page<Entry>, Failure>>,
): Promise<Result<Record<string, readonly Entry[] | string | null>, Failure>> {
  const part = partOf(list, owner, requested);
  if (!part.ok) return part;
  const read = await readPart(part.value);
  const page: Result<Page<Entry>, Failure> = 'ok' in read ? read : ok(read);
  return andThen(page, ({ rows, next }) =>
    ok({
      [member]: rows,
      nextCursor: cursorAfter(list, owner, { next }),
    }),
  );
}
