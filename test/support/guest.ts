/** A guest's browser without JavaScript, as far as the pages need one: cookies by path, forms, redirects. */
import { call, http } from './api.ts';

/** A page as it was shown. */
export interface Page {
  readonly status: number;
  /** Where it was shown, without the origin. */
  readonly path: string;
  readonly html: string;
  readonly headers: Headers;
}

/** How many redirects are followed. */
const MOST_REDIRECTS = 5;

export class Guest {
  /** By their names and paths. */
  readonly #cookies = new Map<string, { home: string; name: string; value: string }>();
  #page: Page = { status: 0, path: '', html: '', headers: new Headers() };

  /** What is shown now. */
  get page(): Page {
    return this.#page;
  }

  /** Opens an address, of this service's own or as a link of a message. */
  async open(address: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.#go(address.replace(/^https?:\/\/[^/]+/, ''), { headers });
  }

  /** Another browser with copies of the cookies. */
  copy(): Guest {
    const other = new Guest();
    for (const [key, cookie] of this.#cookies) other.#cookies.set(key, cookie);
    return other;
  }

  /** Sends a form as the page that is shown would. */
  async post(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
    { follow = true }: { readonly follow?: boolean } = {},
  ): Promise<Page> {
    const init = {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        // Pages send no Referer, so that browsers name no origin either.
        Origin: 'null',
        'Sec-Fetch-Site': 'same-origin',
        ...headers,
      },
      body: new URLSearchParams(form).toString(),
    };
    return this.#go(path, init, follow ? MOST_REDIRECTS : 0);
  }

  /** Sends a form with a file. */
  async upload(path: string, fields: Record<string, string>, file: string): Promise<Page> {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set('file', new File([file], 'file.csv'));
    const headers = { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' };
    return this.#go(path, { method: 'POST', headers, body });
  }

  /** Sends the form of a page that is shown, with its hidden fields, its chosen card and what is typed. */
  async submit(typed: Record<string, string> = {}): Promise<Page> {
    const { html, path } = this.#page;
    const form = /<form ([^>]*)>([\s\S]*?)<\/form>/.exec(html);
    if (!form) throw new Error(`no form at ${path}: ${html}`);
    const [, head = '', inside = ''] = form;
    const fields = Object.fromEntries(
      [...inside.matchAll(/<input ([^>]*)>/g)]
        .map(([, attributes = '']) => attributes)
        .filter(
          (attributes) => !attributes.includes('type="radio"') || /\bchecked/.test(attributes),
        )
        .map((attributes) => [valueIn(attributes, 'name'), valueIn(attributes, 'value')]),
    );
    const action = valueIn(head, 'action');
    // Who types an amount chooses that.
    const choice = typed['amount'] === undefined ? {} : { choice: 'other' };
    const all = { ...fields, ...choice, ...typed };
    return valueIn(head, 'method') === 'get'
      ? this.open(`${action}?${new URLSearchParams(all).toString()}`)
      : this.post(action, all);
  }

  async #go(path: string, init: RequestInit, most = MOST_REDIRECTS): Promise<Page> {
    let [at, how] = [path, init];
    for (let redirects = 0; redirects <= most; redirects += 1) {
      const headers = new Headers(how.headers);
      const cookies = this.#cookiesFor(at);
      if (cookies !== '') headers.set('Cookie', cookies);
      const response = await http(at, { ...how, headers, redirect: 'manual' });
      this.#keep(response.headers);
      const next = response.headers.get('Location');
      if (next === null || most === 0) {
        const html = await response.text();
        this.#page = { status: response.status, path: at, html, headers: response.headers };
        return this.#page;
      }
      await response.body?.cancel();
      [at, how] = [next.replace(/^https?:\/\/[^/]+/, ''), {}];
    }
    throw new Error('too many redirects');
  }

  #cookiesFor(path: string): string {
    const own = [...this.#cookies.values()].filter(({ home }) => path.startsWith(home));
    return own.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  #keep(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      const home = /Path=([^;]+)/i.exec(cookie)?.[1] ?? '/';
      this.#cookies.set(`${name} ${home}`, { home, name, value });
    }
  }
}

function valueIn(attributes: string, name: string): string {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  return found.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
}

/** The link to a booking's payment page. */
export async function linkTo(
  reference: string,
  details: Record<string, unknown> = {},
): Promise<string> {
  return (await call('/booking/v1/get-url', { reference, ...details })).json.url;
}

/** A guest who has opened a booking's payment page. */
export async function visit(reference: string): Promise<Guest> {
  const guest = new Guest();
  await guest.open(await linkTo(reference));
  return guest;
}

/** A card as a guest types it. */
export function typedCard(cardNumber: string): Record<string, string> {
  return { cardNumber, cardExpiry: '12/30', cvv: '123', cardHolderName: 'A Nguyen' };
}

/** Opens the form for a card from the booking's page. */
export function openCardForm(guest: Guest): Promise<Page> {
  const home = guest.page.path.split(/[?#]/)[0] ?? '';
  return guest.open(`${home}/card`);
}

/** Adds a card on the guest's page, and comes back to the booking. */
export async function enterCard(guest: Guest, cardNumber: string): Promise<Page> {
  await openCardForm(guest);
  return guest.submit(typedCard(cardNumber));
}

/** What the form to add a card names: itself, and what its guest agrees to. */
export function savedForm(): Record<string, string> {
  return { attempt: crypto.randomUUID(), agreed: 'saved-2 en' };
}
