// Embeds the payment company's own form. The card goes straight to them; this service gets only a token for it.

const form = document.querySelector('form[data-element]');
const button = form.querySelector('button');
let label = button.textContent;

/** Whether a card that was saved before is chosen: then our form is sent as it is. */
function usesSavedCard() {
  const { card } = form.elements;
  return card !== undefined && card.value !== 'new';
}

// Remove the text for browsers without JavaScript.
document.getElementById('element').replaceChildren();
if (typeof Stripe === 'function') mount();
else showError(form.dataset.notLoaded);

function mount() {
  const { key, account, currency } = form.dataset;
  // Stripe names its one Chinese in simplified signs `zh`.
  const locale = document.documentElement.lang.replace('zh-Hans', 'zh');
  const stripe = Stripe(key, { locale, ...(account && { stripeAccount: account }) });
  const elements = stripe.elements({
    mode: 'setup',
    currency,
    allowedPaymentMethodTypes: ['card'],
    appearance: { theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe' },
  });
  // A wallet gives a card that can be charged again later. Link would ask for an account.
  const wallets = { applePay: 'auto', googlePay: 'auto', link: 'never' };
  const element = elements.create('payment', { wallets });
  element.on('ready', enableButton);
  element.on('loaderror', () => showError(form.dataset.loadError));
  element.mount('#element');
  form.addEventListener('submit', (event) => {
    if (usesSavedCard()) return;
    event.preventDefault();
    if (!button.disabled) void send(stripe, elements);
  });
}

async function send(stripe, elements) {
  label = button.textContent;
  button.disabled = true;
  button.textContent = document.body.dataset.wait;
  showError('');
  const taken = await take(stripe, elements);
  if (taken.error) {
    showError(taken.error.message ?? form.dataset.checkCard);
    enableButton();
    return;
  }
  form.elements.confirmationToken.value = taken.confirmationToken.id;
  form.submit();
}

async function take(stripe, elements) {
  try {
    const checked = await elements.submit();
    return checked.error ? checked : await stripe.createConfirmationToken({ elements });
  } catch {
    return { error: { message: form.dataset.noAnswer } };
  }
}

function enableButton() {
  button.disabled = false;
  button.textContent = label;
}

function showError(text) {
  document.getElementById('element-fault').textContent = text;
}

// Browsers restore a page with its disabled button when the guest goes back.
addEventListener('pageshow', (event) => {
  if (event.persisted) enableButton();
});
