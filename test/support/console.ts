/** The console's forms as people without JavaScript use them. */
import type { Guest } from './guest.ts';

/** Opens the page that asks for confirmation. */
export function ask(person: Guest, reference: string, fields: Readonly<Record<string, string>>) {
  const query = new URLSearchParams({ property: 'demo', reference, ...fields });
  return person.open(`/console/confirm?${query.toString()}`);
}

/** The fields of the form that confirms. */
export function confirmFields({ page }: Guest): Record<string, string> {
  const form = /<form method="post" action="\/console\/(?:do|accept)"[^>]*>([\s\S]*?)<\/form>/.exec(
    page.html,
  );
  return Object.fromEntries(
    [...(form?.[1] ?? '').matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
      name ?? '',
      (value ?? '').replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
    ]),
  );
}

/** Asks, and confirms. */
export async function take(
  person: Guest,
  reference: string,
  fields: Readonly<Record<string, string>>,
) {
  await ask(person, reference, fields);
  return person.post('/console/do', confirmFields(person));
}

/** The words of the page that is shown. */
export function words({ page }: Guest): string {
  return page.html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .replaceAll('&#39;', '’');
}
