// What only a script can do: to find by `/`, to copy, and passkeys, which browsers make and use by scripts alone.

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input:not([type=radio]), select, textarea');
  const find = document.querySelector('input[type=search]');
  if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping || !find) return;
  event.preventDefault();
  find.select();
});

for (const button of document.querySelectorAll('button[data-copied]')) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', () => void copy(button));
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) continue;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}

/** Copies the field of a button's form, and says so behind the button. */
async function copy(button) {
  await navigator.clipboard.writeText(button.form.elements.url.value);
  button.nextElementSibling.textContent = button.dataset.copied;
}

/** Has the browser answer the form's question, and sends the form with that. */
async function send(form) {
  const { failed, options, passkey } = form.dataset;
  const status = form.querySelector('[role=status]');
  status.textContent = '';
  try {
    const credential = await (passkey === 'make' ? make : use)(JSON.parse(options));
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch {
    // The person closed the browser's question, or there is no passkey for it.
    status.textContent = failed;
  }
}

function make(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return navigator.credentials.create({ publicKey });
}

function use(options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}
