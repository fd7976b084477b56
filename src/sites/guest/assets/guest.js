// Optional: every page works without this script.

/** Sends a form once: a pressed button shows that it is waiting and ignores further clicks. */
for (const form of document.querySelectorAll('form[data-once]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = 'true';
    const button = form.querySelector('button');
    button.setAttribute('aria-disabled', 'true');
    button.dataset.label = button.textContent;
    button.textContent = document.body.dataset.wait;
  });
}

// When the guest goes back, the browser restores the page: allow the form again. The server charges each form once.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) {
    delete form.dataset.sent;
    const button = form.querySelector('button');
    button.removeAttribute('aria-disabled');
    button.textContent = button.dataset.label;
  }
});

for (const form of document.querySelectorAll('form[data-card]')) {
  const number = form.elements.cardNumber;
  const expiry = form.elements.cardExpiry;
  const groupNumber = () => show(number, grouped(digitsOf(number.value)));
  const checkNumber = () =>
    showIssue(number, isRight(digitsOf(number.value)) ? '' : form.dataset.card);
  const writeExpiry = () => {
    const digits = digitsOf(expiry.value);
    if (digits.length === 4) expiry.value = `${digits.slice(0, 2)}/${digits.slice(2)}`;
  };
  number.addEventListener('input', groupNumber);
  number.addEventListener('blur', checkNumber);
  expiry.addEventListener('change', writeExpiry);
  // A quick guest, or the browser, may have filled the fields before this script ran.
  if (number.value) groupNumber();
  if (document.activeElement !== number) checkNumber();
  if (document.activeElement !== expiry) writeExpiry();
}

function digitsOf(text) {
  return text.replace(/\D/g, '');
}

/** Groups the digits as on the card: American Express 4-6-5, any other in fours. */
function grouped(digits) {
  const parts = /^3[47]/.test(digits)
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10, 15)]
    : (digits.slice(0, 19).match(/.{1,4}/g) ?? []);
  return parts.filter(Boolean).join(' ');
}

/** Writes a text into a field and keeps the caret after the same digit. */
function show(field, text) {
  if (field.value === text) return;
  const before = digitsOf(field.value.slice(0, field.selectionStart)).length;
  field.value = text;
  let at = 0;
  for (let seen = 0; at < text.length && seen < before; at += 1) {
    if (/\d/.test(text[at])) seen += 1;
  }
  field.setSelectionRange(at, at);
}

function isRight(digits) {
  return digits === '' || passesLuhn(digits);
}

function passesLuhn(digits) {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length >= 12 && sum % 10 === 0;
}

function showIssue(field, text) {
  document.getElementById(`${field.id}-fault`).textContent = text;
  if (text) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}
