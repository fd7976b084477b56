import { Notice } from '../../web/notice.tsx';
import { OPS_PATH } from '../session.ts';
import { OpsLayout } from './layout.tsx';

/** The form to sign in. `error` says why the last attempt failed or the session ended. */
export function SignInPage({ error }: { readonly error?: string }) {
  return (
    <OpsLayout title="Sign in">
      {error && (
        <Notice kind="bad">
          <p>{error}</p>
        </Notice>
      )}
      <form method="post" action={`${OPS_PATH}/sign-in`} class="sign-in">
        <div class="field">
          <label for="clientId">Client id</label>
          <input
            id="clientId"
            name="clientId"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            required
          />
        </div>
        <div class="field">
          <label for="clientSecret">Client secret</label>
          <input
            id="clientSecret"
            name="clientSecret"
            type="password"
            autocomplete="current-password"
            required
          />
        </div>
        <button type="submit">Sign in</button>
      </form>
    </OpsLayout>
  );
}
