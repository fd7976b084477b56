import { words } from '../../../desk/words.ts';
import { OPS_PATH } from '../../console/paths.ts';
import { Field } from '../../web/forms.tsx';
import { Notice } from '../../web/page.tsx';
import { OpsLayout } from './layout.tsx';

const { signIn: copy } = words.ops;

/** The form to sign in. `error` says why the last attempt failed or the session ended. */
export function SignInPage({ error }: { readonly error?: string }) {
  return (
    <OpsLayout title={copy.title}>
      {error && <Notice kind="bad" text={error} />}
      <form method="post" action={`${OPS_PATH}/sign-in`} class="card">
        <Field id="clientId" label={copy.clientId}>
          <input
            id="clientId"
            name="clientId"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            required
          />
        </Field>
        <Field id="clientSecret" label={copy.clientSecret}>
          <input
            id="clientSecret"
            name="clientSecret"
            type="password"
            autocomplete="current-password"
            required
          />
        </Field>
        <button type="submit">{copy.title}</button>
      </form>
    </OpsLayout>
  );
}
