import { words } from '../../../desk/words.ts';
import { Field } from '../../web/forms.tsx';
import { Notice } from '../../web/page.tsx';
import { LinkLine } from '../../web/staffLayout.tsx';
import { CONSOLE_PATH } from '../paths.ts';
import { ConsoleLayout } from './layout.tsx';

const { signIn: copy } = words;

export function SignInPage({ error }: { readonly error?: string }) {
  return (
    <ConsoleLayout title={copy.title}>
      {error && <Notice kind="bad" text={error} />}
      <form method="post" action={`${CONSOLE_PATH}/sign-in`} class="card">
        <p>{copy.intro}</p>
        <Field id="email" label={copy.email}>
          <input id="email" name="email" type="email" autocomplete="username" required />
        </Field>
        <button type="submit">{copy.send}</button>
      </form>
    </ConsoleLayout>
  );
}

/** Says that only Cloudflare Access lets people in. Behind it, nobody sees this page. */
export function AccessOnlyPage() {
  return (
    <ConsoleLayout title={copy.title}>
      <p>{copy.accessOnly}</p>
    </ConsoleLayout>
  );
}

/** What is shown after asking for a link, whoever asked. */
export function LinkSentPage() {
  return (
    <ConsoleLayout title={copy.sentTitle}>
      <Notice kind="info" text={copy.sent} />
      <p>{copy.once}</p>
      <LinkLine href={CONSOLE_PATH} text={copy.another} />
    </ConsoleLayout>
  );
}

/** Asks for one press, because mail programs open links by themselves and would use this one up. */
export function EnterPage({ name, action }: { readonly name: string; readonly action: string }) {
  return (
    <ConsoleLayout title={copy.title}>
      <form method="post" action={action} class="card">
        <p>
          {copy.as} <bdi>{name}</bdi>?
        </p>
        <button type="submit">{copy.title}</button>
      </form>
    </ConsoleLayout>
  );
}
