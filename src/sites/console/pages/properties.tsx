import { words } from '../../../desk/words.ts';
import type { Person } from '../../../records/staff/rules.ts';
import { propertyPath } from '../paths.ts';
import { ConsoleLayout } from './layout.tsx';

/** The properties that a person works for. */
export function PropertiesPage({
  person,
  properties,
}: {
  readonly person: Person;
  readonly properties: readonly { readonly id: string; readonly name: string }[];
}) {
  return (
    <ConsoleLayout title={words.console.name} person={person}>
      <nav aria-label={words.console.properties}>
        <ul class="links">
          {properties.map(({ id, name }) => (
            <li>
              <a href={propertyPath(id)}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
    </ConsoleLayout>
  );
}
