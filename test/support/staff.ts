/** The console as people of the staff without JavaScript see it. */
import { seeded } from '../../scripts/seed.ts';
import { callAsAdmin } from './api.ts';
import { eventually } from './eventually.ts';
import { Guest } from './guest.ts';
import { mailbox } from './mailbox.ts';

/** Asks for a sign-in link as someone without a session, who is on the page that answers then. */
export async function askForLink(email: string): Promise<Guest> {
  const visitor = new Guest();
  await visitor.open('/console');
  await visitor.submit({ email });
  return visitor;
}

/** Asks for a sign-in link as `typed` and returns the one that `email` got. */
export async function signInLink(typed: string, email = typed): Promise<string> {
  const before = (await linksTo(email)).length;
  await askForLink(typed);
  // Links are mailed after the answer.
  return eventually(async () => {
    const [newest, ...older] = await linksTo(email);
    if (newest === undefined || older.length < before) throw new Error(`${email} got no link`);
    return newest;
  });
}

/** A person who has signed in by a link. */
export async function signedIn(email: string = seeded.manager.email): Promise<Guest> {
  const person = new Guest();
  await person.open(await signInLink(email));
  await person.submit();
  return person;
}

/** Makes a person of the staff. */
export function putUser(user: Readonly<Record<string, unknown>>) {
  return callAsAdmin('/admin/v1/user/put', { name: 'Kim Lee', role: 'cashier', ...user });
}

/** The sign-in links that were mailed to someone, newest first. */
export async function linksTo(email: string): Promise<string[]> {
  return (await mailbox())
    .filter(({ to }) => to === email)
    .flatMap(({ text }) => /https?:\/\/\S+\/console\/enter\/\S+/.exec(text) ?? []);
}
