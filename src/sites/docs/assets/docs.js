// Only trying things needs this script: it gets an access token and sends the form's request.

const KEPT = 'docs-token';

/** The most of an answer that is shown, in characters. */
const MOST_SHOWN = 20_000;

const signInForm = document.querySelector('form[data-sign-in]');
const requestForm = document.querySelector('form[data-path]');

requestForm.parentElement.hidden = false;
if (signInForm) {
  showToken();
  signInForm.addEventListener('submit', (event) => {
    event.preventDefault();
    void signIn();
  });
}
requestForm.addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});

/** The token that was got last in this window, while it is valid. */
function keptToken() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
  return kept && kept.untilMs > Date.now() ? kept : null;
}

function showToken() {
  const kept = keptToken();
  statusOf(signInForm).textContent = kept
    ? `Signed in as ${kept.clientId}, until ${new Date(kept.untilMs).toLocaleTimeString('en-GB')}, for: ${kept.scope}.`
    : 'Not signed in.';
}

async function signIn() {
  const { clientId, clientSecret } = signInForm.elements;
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId.value,
    client_secret: clientSecret.value,
  });
  try {
    const answer = await fetch('/auth/v1/token', { method: 'POST', body });
    const token = await answer.json();
    if (!answer.ok) throw new Error(token.error_description ?? token.detail);
    const untilMs = Date.now() + token.expires_in * 1_000;
    const kept = {
      clientId: clientId.value,
      token: token.access_token,
      scope: token.scope,
      untilMs,
    };
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
    clientSecret.value = '';
    showToken();
  } catch (error) {
    sessionStorage.removeItem(KEPT);
    statusOf(signInForm).textContent = `No access token: ${error.message}`;
  }
}

async function send() {
  const { dataset, elements } = requestForm;
  const url = new URL(dataset.path, location.origin);
  // Never the browser's own credentials, nor its question for them.
  const request = { method: dataset.method, headers: new Headers(), credentials: 'omit' };
  for (const { value, name, dataset: field } of requestForm.querySelectorAll('[data-in]')) {
    if (value === '') continue;
    if (field.in === 'query') url.searchParams.set(name, value);
    else request.headers.set(name, value);
  }
  const authorization = authorizationOf(dataset.access, elements);
  if (authorization) request.headers.set('Authorization', authorization);
  if (elements.body) {
    request.headers.set('Content-Type', 'application/json');
    request.body = elements.body.value;
  }
  try {
    const answer = await fetch(url, request);
    const text = await answer.text();
    const id = answer.headers.get('X-Request-Id');
    showAnswer(`${answer.status} ${answer.statusText} (request ${id})`, readable(text));
  } catch (error) {
    showAnswer(`Not sent: ${error.message}`, '');
  }
}

function authorizationOf(access, { username, password }) {
  if (access === 'bearer') {
    const kept = keptToken();
    return kept && `Bearer ${kept.token}`;
  }
  if (access !== 'basic') return null;
  const bytes = new TextEncoder().encode(`${username.value}:${password.value}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function showAnswer(status, text) {
  statusOf(requestForm).textContent = status;
  const shown = requestForm.querySelector('[data-answer]');
  shown.textContent = text.slice(0, MOST_SHOWN);
  shown.parentElement.hidden = text === '';
}

function statusOf(form) {
  return form.querySelector('[role=status]');
}

/** JSON in lines; any other text as it is. */
function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
