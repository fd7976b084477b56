// Shows the page anew each minute, unless somebody is at work on it.

const EVERY_MS = 60_000;

let touchedMs = 0;
for (const event of ['keydown', 'pointerdown', 'input']) {
  document.addEventListener(event, () => {
    touchedMs = Date.now();
  });
}

/** Whether a field holds what was not sent, a part was unfolded, or the reader was busy just now. */
function isInUse() {
  const fields = [...document.querySelectorAll('input:not([type=hidden])')];
  const isTyped = fields.some((field) => field.value !== field.defaultValue);
  if (document.querySelector('details[open]')) return true;
  return isTyped || fields.includes(document.activeElement) || Date.now() - touchedMs < EVERY_MS;
}

if (document.querySelector('[data-refresh]')) {
  setInterval(() => {
    if (!document.hidden && !isInUse()) location.reload();
  }, EVERY_MS);
}
