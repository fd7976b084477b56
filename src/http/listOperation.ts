import { z } from '@hono/zod-openapi';
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
  type Operation,
  type PropertyRequest,
  propertyOperation,
} from './operation.ts';
import type { OperationRequest } from './readRequest.ts';

type Filtered<Filter extends z.ZodRawShape> = z.infer<z.ZodObject<Filter & typeof pageFields>>;

/** A list that is read page by page: what narrows it, and its entries (interface: Pages of a list). */
interface List<Request, Filter extends z.ZodRawShape, Entry>
  extends Pick<Operation<never, object, z.ZodRawShape>, 'path' | 'summary' | 'problems'> {
  readonly list: ListName;
  readonly filter: Filter;
  /** The names of an earlier and a later bound in the filter, which must be in order. */
  readonly inOrder?: readonly [from: string, to: string];
  /** The member of the answer that holds the entries, and its schema. */
  readonly member: string;
  readonly entries: z.ZodType<readonly Entry[]>;
  /** What a cursor is good for: by default the caller's property, for administrators all. */
  readonly ownerOf?: (filter: Filtered<Filter>) => string;
  readonly read: (
    request: Request,
    part: Part,
  ) => Promise<Page<NoInfer<Entry>> | Result<Page<NoInfer<Entry>>>>;
}

/** The members of an answer: the entries, and `nextCursor`. */
type Answer<Entry> = Readonly<Record<string, readonly Entry[] | string | null>>;

/** Registers a list of a property for its clients. */
export function propertyList<Filter extends z.ZodRawShape, Entry>(
  api: Api,
  list: List<PropertyRequest<Filtered<Filter>>, Filter, Entry> & { readonly scope: Scope },
): void {
  const { scope } = list;
  propertyOperation(api, { ...operationOf(list, ({ property }) => property.id), scope });
}

export function adminList<Filter extends z.ZodRawShape, Entry>(
  api: Api,
  list: List<OperationRequest<Filtered<Filter>>, Filter, Entry>,
): void {
  adminOperation(
    api,
    operationOf(list, () => EVERY_PROPERTY),
  );
}

/** The page of a list that is read as a whole; a position is how many entries come before it. */
export function pageOfWhole<Entry>(all: readonly Entry[], { after, limit }: Part): Page<Entry> {
  const from = Number(after?.[0] ?? 0);
  const to = from + limit;
  return { rows: all.slice(from, to), next: to < all.length ? [to] : null };
}

function operationOf<
  Request extends OperationRequest<Filtered<Filter>>,
  Filter extends z.ZodRawShape,
  Entry,
>(
  {
    entries,
    filter,
    inOrder,
    list,
    member,
    ownerOf,
    path,
    problems = [],
    read,
    summary,
  }: List<Request, Filter, Entry>,
  usualOwner: (request: Request) => string,
) {
  const fields: z.ZodObject = z.object({ ...filter, ...pageFields });
  const body = inOrder ? fields.check(boundsInOrder(...inOrder)) : fields;
  return {
    path,
    summary,
    problems,
    body: body as unknown as z.ZodType<Filtered<Filter>>,
    answer: { [member]: entries, nextCursor: nextPage },
    handle: async (request: Request): Promise<Result<Answer<Entry>>> => {
      const owner = ownerOf?.(request.body) ?? usualOwner(request);
      const part = partOf(list, owner, request.body as RequestedPage);
      if (!part.ok) return part;
      const found = await read(request, part.value);
      const page: Result<Page<Entry>> = 'ok' in found ? found : ok(found);
      return andThen(page, ({ rows, next }) =>
        ok({ [member]: rows, nextCursor: cursorAfter(list, owner, { next }) }),
      );
    },
  };
}
