import type { Api } from '../../http/operation.ts';
import { plainPage } from './frame.tsx';

/** What is here for everybody, and on a developer's machine besides. */
const EVERYWHERE = [
  ['/docs', 'Documentation', 'every operation, to read and to try'],
  ['/openapi.json', 'OpenAPI document', 'the same for programs'],
  ['/console', 'Console', 'for the staff of properties'],
  ['/health', 'Health', 'whether the service works, and what is late'],
] as const;

const LOCALLY = [
  ['/ops', 'Operations page', 'payments, messages and exports at a glance'],
  ['/dev/mailbox', 'Mailbox', 'the e-mails that a deployment would send'],
] as const;

/** `GET /`: a page that names what is here (interface: The first page). It reads nothing. */
export function registerHome(api: Api): void {
  api.get('/', (c) => {
    const links = c.get('config').local ? [...EVERYWHERE, ...LOCALLY] : EVERYWHERE;
    return plainPage(
      c,
      200,
      'Bookings and payments',
      <ul>
        {links.map(([path, name, meaning]) => (
          <li>
            <a href={path}>{name}</a>: {meaning}
          </li>
        ))}
      </ul>,
    );
  });
}
