import { page } from '../web/page.tsx';
import { showFound } from './search.tsx';
import { framed, type PropertyRequest } from './site.tsx';

/** A property's first page: its day, or what was found. */
export async function showProperty(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const typed = c.req.query('q') ?? '';
  if (typed.trim() !== '') return showFound(request, typed);
  return page(c, 200, framed(request, { title: property.name, here: 'property' }, <p />));
}
