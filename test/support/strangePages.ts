/** Sessions of pages, and what their forms and addresses may be sent. */
import { seeded } from '../../scripts/seed.ts';
import { call, http } from './api.ts';
import { linkTo } from './guest.ts';
import { newestLink } from './mailbox.ts';
import type { Existing } from './samples.ts';

/** A session as a browser keeps it: the path of its pages, and its cookie. */
export interface PageSession {
  readonly home: string;
  readonly cookie: string;
}

/** A guest's session on a booking's payment page, one on a page that asks for a card, and an administrator's. */
export interface PageSessions {
  readonly payments: PageSession;
  readonly card: PageSession;
  readonly ops: PageSession;
  /** The links of the first two, as paths. */
  readonly links: readonly string[];
}

/** Begins a session of each kind. */
export async function beginSessions({ reference }: Existing): Promise<PageSessions> {
  const paymentLink = pathOf(await linkTo(reference));
  await call('/payment/v1/request-card-details', { reference });
  const cardLink = pathOf(await newestLink());
  return {
    payments: await openedBy(paymentLink),
    card: await openedBy(cardLink),
    ops: await signIn(),
    links: [paymentLink, cardLink],
  };
}

/** Begins an administrator's session. */
export async function signIn(): Promise<PageSession> {
  const signedIn = await http('/ops/sign-in', {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ clientId: seeded.admin.id, clientSecret: seeded.admin.secret }),
  });
  return sessionIn(signedIn);
}

async function openedBy(link: string): Promise<PageSession> {
  return sessionIn(await http(link, { redirect: 'manual' }));
}

function sessionIn(answer: Response): PageSession {
  const [cookie = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';');
  const home = answer.headers.get('Location');
  if (home === null || cookie === '') throw new Error(`no session: ${answer.status}`);
  return { home, cookie };
}

function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}
