import type { JSX } from 'hono/jsx';
import { Field, InputField } from '../../web/forms.tsx';
import { accessOf, command } from '../command.ts';
import { bodyOf, type Entry } from '../document.ts';
import { Lines } from './layout.tsx';

/** Whether a person can send the request: nobody but the acquirer can sign its events. */
export function canTry({ isSent, operation }: Entry): boolean {
  return !isSent && operation.tags?.[0] !== 'gateway';
}

/** The request as a command, and a form that sends it. Scripts show the form; without them there is the command. */
export function TryIt({ entry, url }: { readonly entry: Entry; readonly url: string }) {
  const example = bodyOf(entry.operation)?.example;
  return (
    <section>
      <h2>Try it</h2>
      {canTry(entry) && (
        <div class="try" hidden>
          {accessOf(entry.operation) === 'bearer' && <SignIn />}
          {namesIds(example) && (
            <p>The ids of the example are nobody’s: put yours, from an earlier answer.</p>
          )}
          <RequestForm entry={entry} example={example} />
        </div>
      )}
      <Lines name="As a command" text={command(entry, url, example)} />
    </section>
  );
}

/** The members that hold an id which this service made. */
const IDS = [
  'id',
  'chargeId',
  'endpointId',
  'applicationNumber',
  'disbursementId',
  'messageId',
  'exceptionId',
  'clientId',
];

function namesIds(example: unknown): boolean {
  return example instanceof Object && IDS.some((name) => name in example);
}

/** Gets an access token. The script keeps the token, not the secret, until the window is closed. */
function SignIn() {
  return (
    <form data-sign-in>
      <Field id="client-id" label="Client id">
        <input id="client-id" name="clientId" autocomplete="username" required />
      </Field>
      <InputField
        id="client-secret"
        name="clientSecret"
        label="Client secret"
        type="password"
        autocomplete="current-password"
        required
      />
      <button type="submit">Get an access token</button>
      <p role="status">Not signed in.</p>
    </form>
  );
}

/** Browsers set these headers themselves. */
const OF_BROWSER = ['Accept-Encoding'];

function RequestForm({ entry, example }: { readonly entry: Entry; readonly example: unknown }) {
  const { name, method, operation } = entry;
  const access = accessOf(operation);
  const parameters = (operation.parameters ?? []).filter((one) => !OF_BROWSER.includes(one.name));
  return (
    <form data-path={name} data-method={method} data-access={access}>
      {access === 'basic' && (
        <>
          <Input name="username" label="User name" autocomplete="username" />
          <Input name="password" label="Password" autocomplete="current-password" type="password" />
        </>
      )}
      {parameters.map(({ in: place = '', name, schema }) => (
        <Input
          name={name}
          label={name}
          value={typeof schema?.example === 'string' ? schema.example : ''}
          place={place}
        />
      ))}
      {example !== undefined && (
        <Field id="body" label="Body">
          <textarea id="body" name="body" rows={lineCount(example)} spellcheck={false}>
            {JSON.stringify(example, null, 2)}
          </textarea>
        </Field>
      )}
      <button type="submit">Send</button>
      <p role="status"></p>
      <section class="scroll" aria-label="What the service answered" tabindex={0} hidden>
        <pre data-answer></pre>
      </section>
    </form>
  );
}

function lineCount(example: unknown): number {
  return Math.min(24, JSON.stringify(example, null, 2).split('\n').length + 1);
}

/** `place` says where a parameter is sent: `query` or `header`. */
function Input(
  field: Omit<JSX.IntrinsicElements['input'], 'id'> & {
    readonly name: string;
    readonly label: string;
    readonly place?: string;
  },
) {
  const { name, place, ...input } = field;
  const usual = { type: 'text', value: '', 'data-in': place, autocomplete: 'off' };
  return <InputField id={`field-${name}`} name={name} {...usual} {...input} />;
}
