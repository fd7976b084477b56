import { base64url } from 'jose';
import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import { HOUR_MS } from '../../core/time.ts';
import type { Config } from '../../platform/config.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';
import type { Database } from '../../platform/db/database.ts';
import { violatesUnique } from '../../platform/db/errors.ts';
import type { PasskeyRow, SessionRow, UserRow } from '../../schema/staffTables.ts';
import { changePasskeys } from './actions.ts';
import { newSession } from './newSession.ts';
import {
  insertAnswered,
  isOfPasskey,
  selectPasskey,
  selectUserOfPasskey,
  updatePasskey,
} from './passkeyStore.ts';
import { maySignIn } from './rules.ts';
import { insertSession } from './sessionStore.ts';

/** How long a page's question to a passkey can be answered. */
const QUESTION_LIFE_MS = HOUR_MS;

const MOST_PASSKEYS = 10;

/** For whom browsers keep passkeys: the host's name, and the origin that pages are at. */
export interface RelyingParty {
  readonly host: string;
  readonly origin: string;
}

/** What a page asks a passkey: options for the browser, and the same question sealed, to come back with the answer. */
export interface PasskeyQuestion {
  readonly options: string;
  readonly sealed: string;
}

/** What comes back: the question as it was sealed, and the credential as JSON. */
export interface PasskeyAnswer {
  readonly sealed: string;
  readonly credential: string;
  /** The browser, for the session that begins or the passkey that is made. */
  readonly device: string;
  readonly nowMs: number;
}

/** What passkeys take. The library is loaded when somebody uses one: a Worker's start is everybody's. */
export interface PasskeyWork {
  readonly database: Database;
  readonly config: Pick<Config, 'local' | 'keyring'>;
  readonly party: RelyingParty;
}

const loadLibrary = () => import('@simplewebauthn/server');

/** Asks for any passkey of this service. */
export async function askForPasskey(work: PasskeyWork, nowMs: number): Promise<PasskeyQuestion> {
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID: work.party.host,
    userVerification: 'required',
  });
  return asked(work, options, 'sign-in', nowMs);
}

/** Asks a device to make a passkey for a person, unless it has one of theirs. */
export async function askToMakePasskey(
  work: PasskeyWork,
  { email, id, name }: Pick<UserRow, 'id' | 'email' | 'name'>,
  known: readonly Pick<PasskeyRow, 'id'>[],
  nowMs: number,
): Promise<PasskeyQuestion> {
  const { party } = work;
  const { generateRegistrationOptions } = await loadLibrary();
  const options = await generateRegistrationOptions({
    rpID: party.host,
    rpName: party.host,
    userID: new Uint8Array(new TextEncoder().encode(id)),
    userName: email,
    userDisplayName: name,
    excludeCredentials: known.map((passkey) => ({ id: passkey.id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return asked(work, options, id, nowMs);
}

const questionShape = z.object({ challenge: z.string(), untilMs: z.int() });

/** A question about `subject`, whose answer counts for nothing else. */
async function asked(
  { config }: PasskeyWork,
  options: { readonly challenge: string },
  subject: string,
  nowMs: number,
): Promise<PasskeyQuestion> {
  const kept = { challenge: options.challenge, untilMs: nowMs + QUESTION_LIFE_MS };
  const sealed = await seal(config.keyring, 'passkey', subject, JSON.stringify(kept));
  return { options: JSON.stringify(options), sealed };
}

/** The question that is answered, with the credential; null for one that is too old or about something else. */
async function readAnswer<T>(
  { config }: PasskeyWork,
  { credential, nowMs, sealed }: PasskeyAnswer,
  subject: string,
  shape: z.ZodType<T>,
) {
  const text = await unseal(config.keyring, 'passkey', subject, sealed);
  const question = text === null ? null : questionShape.parse(JSON.parse(text));
  const { data: response } = shape.safeParse(parseJson(credential));
  return question && response && question.untilMs > nowMs ? { question, response } : null;
}

const ofCredential = {
  id: z.string(),
  rawId: z.string(),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
};

/** What a browser tells of a passkey that it used. */
const usedShape = z.object({
  ...ofCredential,
  response: z.object({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
  }),
});

/** What a browser tells of a passkey that it made. */
const madeShape = z.object({
  ...ofCredential,
  response: z.object({ clientDataJSON: z.string(), attestationObject: z.string() }),
});

/** Signs in by a passkey: begins a session on its device. A question is answered once. Two round trips. */
export async function signInByPasskey(
  work: PasskeyWork,
  answer: PasskeyAnswer,
): Promise<Result<SessionRow>> {
  const { config, database, party } = work;
  const read = await readAnswer(work, answer, 'sign-in', usedShape);
  if (!read) return refused('the question is over');
  const { question, response } = read;
  const [[passkey], [user]] = await database.directory.batch('d1.session.read', [
    selectPasskey(response.id),
    selectUserOfPasskey(response.id),
  ]);
  if (!passkey || !user || !maySignIn(user, config.local)) return refused('the passkey is unknown');
  const { verifyAuthenticationResponse } = await loadLibrary();
  const verified = await orRefused(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: question.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.host,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(base64url.decode(passkey.publicKey)),
        counter: passkey.counter,
      },
    }),
  );
  if (!verified.ok) return verified;
  if (!verified.value.verified) return refused('the signature is wrong');
  const counter = verified.value.authenticationInfo.newCounter;
  const session = newSession(answer.device, answer.nowMs);
  const statements = [
    insertAnswered(question),
    updatePasskey({ id: passkey.id, counter, lastUsedAtMs: answer.nowMs }),
    insertSession(session, isOfPasskey(passkey.id)),
  ] as const;
  try {
    const [, , begun] = await database.directory.batch('d1.signIn.save', statements);
    if (begun.length === 0) return refused('the passkey was removed');
  } catch (error) {
    if (violatesUnique(error, 'ended_sessions.id')) return refused('the question was answered');
    throw error;
  }
  return ok({ ...session, userId: user.id });
}

/** Adds the passkey that a device made for a person. Two round trips. */
export async function addPasskey(
  work: PasskeyWork,
  { id: userId }: Pick<UserRow, 'id'>,
  answer: PasskeyAnswer,
): Promise<Result<null>> {
  const { database, party } = work;
  const read = await readAnswer(work, answer, userId, madeShape);
  if (!read) return refused('the question is over');
  const { verifyRegistrationResponse } = await loadLibrary();
  const verified = await orRefused(() =>
    verifyRegistrationResponse({
      response: read.response,
      expectedChallenge: read.question.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.host,
    }),
  );
  if (!verified.ok) return verified;
  if (!verified.value.verified) return refused('the signature is wrong');
  const { counter, id, publicKey } = verified.value.registrationInfo.credential;
  const passkey = {
    id,
    userId,
    publicKey: base64url.encode(publicKey),
    counter,
    device: answer.device,
    createdAtMs: answer.nowMs,
    lastUsedAtMs: null,
  };
  return changePasskeys(database, userId, answer.nowMs, (known) => {
    if (known.some((one) => one.id === id)) return ok(null);
    return known.length < MOST_PASSKEYS
      ? ok({ passkey, isNew: true })
      : refused('there are too many');
  });
}

/** Removes a passkey of a person: it signs nobody in any more. Two round trips. */
export async function removePasskey(
  database: Database,
  { id, userId }: Pick<PasskeyRow, 'id' | 'userId'>,
  nowMs: number,
): Promise<void> {
  await changePasskeys(database, userId, nowMs, (known) => {
    const passkey = known.find((one) => one.id === id);
    return ok(passkey ? { passkey, isNew: false } : null);
  });
}

/** What the library finds. It throws for a credential that is not good. */
async function orRefused<T>(verify: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await verify());
  } catch (error) {
    return refused(error instanceof Error ? error.message : 'it cannot be read');
  }
}

/** `why` is for the log: the person hears only that it did not work. */
function refused(why: string) {
  return refuse('unauthorized', why);
}
