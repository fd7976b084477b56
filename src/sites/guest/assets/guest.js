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

/** Keeps the price of a payment in step with what is chosen. Without an answer, the next page shows it. */
for (const form of document.querySelectorAll('form[data-price]')) {
  let asked = 0;
  let pricedBrand = '';
  const amount = form.elements.amount;
  const box = () => form.querySelector('[data-price-box]');
  const forget = () => {
    for (const field of box().querySelectorAll('input')) field.remove();
  };
  const ask = async () => {
    asked += 1;
    const turn = asked;
    forget();
    await new Promise((resolve) => setTimeout(resolve, 250));
    if (turn !== asked) return;
    const { card, cardNumber, choice } = form.elements;
    const query = new URLSearchParams({ card: card.value, choice: choice.value });
    query.set('amount', amount.value);
    const brand = cardNumber && card.value === 'new' ? brandOf(digitsOf(cardNumber.value)) : '';
    pricedBrand = brand;
    if (brand) query.set('brand', brand);
    const answer = await fetch(`${form.dataset.price}?${query}`).catch(() => null);
    const text = answer?.ok ? await answer.text() : '';
    const shown = new DOMParser().parseFromString(text, 'text/html');
    const next = shown.querySelector('[data-price-box]');
    if (turn !== asked || !next || form.dataset.sent) return;
    box().replaceWith(next);
    form.querySelector('button').textContent = next.dataset.button;
  };
  for (const radio of form.querySelectorAll('input[type="radio"]')) {
    radio.addEventListener('change', () => void ask());
  }
  amount.addEventListener('input', () => {
    document.getElementById('choice-other').checked = true;
    void ask();
  });
  let brand = '';
  form.elements.cardNumber?.addEventListener('input', (event) => {
    const now = brandOf(digitsOf(event.target.value));
    // A price that is known without a brand is the same for each.
    const isSame = pricedBrand === '' && box().querySelector('input') !== null;
    if (now !== brand && !isSame) void ask();
    brand = now;
  });
  // A browser that restores what was chosen restores no price.
  if (form.elements.choice.value !== form.querySelector('[name="choice"][checked]')?.value) {
    void ask();
  }
}

/** Looks at a payment that is being confirmed again, while somebody looks at the page. */
for (const { dataset } of document.querySelectorAll('[data-refresh]')) {
  setInterval(() => {
    if (document.visibilityState === 'visible') location.reload();
  }, Number(dataset.refresh) * 1000);
}

for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}

/** What was wrong with a field is no longer said once it is corrected. */
for (const field of document.querySelectorAll('input[aria-invalid]')) {
  const corrected = () => showIssue(field, '');
  // The guest may have typed before this script arrived.
  if (field.value === field.defaultValue)
    field.addEventListener('input', corrected, { once: true });
  else corrected();
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
  // An empty field says that the number has to be typed again, where it has to.
  const checkNumber = () => {
    if (number.value)
      showIssue(number, passesLuhn(digitsOf(number.value)) ? '' : form.dataset.card);
  };
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

/** The brand of a number that is being typed; empty for one that its first digits do not tell. */
function brandOf(digits) {
  if (digits.startsWith('4')) return 'visa';
  if (/^3[47]/.test(digits)) return 'amex';
  return /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(digits) ? 'mastercard' : '';
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
