import { Notice } from '../../web/notice.tsx';
import { CONSOLE_PATH } from '../paths.ts';
import { ConsoleLayout } from './layout.tsx';

/** The form to sign in. `error` says why the last attempt failed. */
export function SignInPage({ error }: { readonly error?: string }) {
  return (
    <ConsoleLayout title="Sign in">
      {error && (
        <Notice kind="bad">
          <p>{error}</p>
        </Notice>
      )}
      <form method="post" action={`${CONSOLE_PATH}/sign-in`} class="card">
        <p>We e-mail you a link that signs you in. There is no password.</p>
        <div class="field">
          <label for="email">E-mail address</label>
          <input id="email" name="email" type="email" autocomplete="username" required />
        </div>
        <button type="submit">Send the link</button>
      </form>
    </ConsoleLayout>
  );
}

/** Says that only Cloudflare Access lets people in. Behind it, nobody sees this page. */
export function AccessOnlyPage() {
  return (
    <ConsoleLayout title="Sign in">
      <p>
        The console opens through your organisation’s sign-in only (Cloudflare Access), and that let
        nobody of the staff through. Open it by the address that your administrator gave you.
      </p>
    </ConsoleLayout>
  );
}

/** What is shown after asking for a link, whoever asked. */
export function LinkSentPage() {
  return (
    <ConsoleLayout title="Check your e-mail">
      <Notice kind="info">
        <p>If this address belongs to someone of the staff, a link to sign in is on its way.</p>
      </Notice>
      <p>The link works once, for 15 minutes.</p>
      <p>
        <a href={CONSOLE_PATH}>Ask for another link</a>
      </p>
    </ConsoleLayout>
  );
}

/** Asks for one press, because mail programs open links by themselves and would use this one up. */
export function EnterPage({ name, action }: { readonly name: string; readonly action: string }) {
  return (
    <ConsoleLayout title="Sign in">
      <form method="post" action={action} class="card">
        <p>
          Sign in as <bdi>{name}</bdi>?
        </p>
        <button type="submit">Sign in</button>
      </form>
    </ConsoleLayout>
  );
}
