import { Notice } from '../../pages/notice.tsx';
import { OPS_PATH } from '../session.ts';
import { OpsLayout } from './layout.tsx';

/** The form by which an administrator signs in, with why that is asked for, if there is a reason. */
export function SignInPage({ refused }: { readonly refused?: string }) {
  return (
    <OpsLayout title="Sign in">
      {refused && (
        <Notice kind="bad">
          <p>{refused}</p>
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
