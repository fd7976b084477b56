import { words } from '../../desk/words.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext } from '../../http/context.ts';
import type { PasskeyAnswer, PasskeyQuestion, PasskeyWork } from '../../records/staff/passkeys.ts';
import { deviceNamed } from '../../records/staff/rules.ts';
import { type Form, Hidden } from '../web/forms.tsx';

const { passkeys: copy } = words;

/** What passkeys take; null where the service has no name: browsers keep them for names, not for IP addresses. */
export function passkeyWork(c: AppContext): PasskeyWork | null {
  const { hostname, origin } = new URL(publicBaseUrl(c));
  if (/^[\d.]+$|^\[/.test(hostname)) return null;
  const party = { host: hostname, origin };
  return { database: c.get('database'), config: c.get('config'), party };
}

export function passkeyAnswer(
  c: AppContext,
  { credential = '', question = '' }: Form,
): PasskeyAnswer {
  const device = deviceNamed(c.req.header('User-Agent') ?? '');
  return { sealed: question, credential, device, nowMs: Date.now() };
}

/** A form whose button asks the browser for a passkey. The script shows it where browsers know them. */
export function PasskeyForm({
  action,
  fields = {},
  question,
  use,
}: Readonly<{ action: string; fields?: Form; question: PasskeyQuestion; use: 'make' | 'use' }>) {
  return (
    <form
      method="post"
      action={action}
      class="card"
      hidden
      data-passkey={use}
      data-options={question.options}
      data-failed={copy.failed[use]}
    >
      <Hidden fields={{ ...fields, question: question.sealed, credential: '' }} />
      <button type="submit">{copy.ask[use]}</button>
      <p role="status"></p>
    </form>
  );
}
