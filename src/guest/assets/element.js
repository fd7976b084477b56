// Puts the payment company's own form into the page. The card goes from there to them; only a token for it comes here.

const form = document.querySelector('form[data-element]');
const button = form.querySelector('button');
const words = button.textContent;

// What stands there is for those without JavaScript.
document.getElementById('element').replaceChildren();
if (typeof Stripe === 'function') mount();
else say('The form could not be loaded. Please check your connection, and load this page again.');

function mount() {
  const { key, account, currency } = form.dataset;
  const stripe = Stripe(key, account ? { stripeAccount: account } : undefined);
  const elements = stripe.elements({
    mode: 'setup',
    currency,
    allowedPaymentMethodTypes: ['card'],
    appearance: { theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe' },
  });
  // Only a card can be charged again later.
  const wallets = { applePay: 'never', googlePay: 'never', link: 'never' };
  const element = elements.create('payment', { wallets });
  element.on('ready', release);
  element.on('loaderror', () => say('The form could not be loaded. Please try again later.'));
  element.mount('#element');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!button.disabled) void send(stripe, elements);
  });
}

async function send(stripe, elements) {
  button.disabled = true;
  button.textContent = 'Please wait …';
  say('');
  const taken = await take(stripe, elements);
  if (taken.error) {
    say(taken.error.message ?? 'Please check the card.');
    release();
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
    return { error: { message: 'The payment company does not answer. Please try again.' } };
  }
}

function release() {
  button.disabled = false;
  button.textContent = words;
}

function say(text) {
  document.getElementById('element-fault').textContent = text;
}

// A page that comes back from the browser's memory can be sent again.
addEventListener('pageshow', (event) => {
  if (event.persisted) release();
});
