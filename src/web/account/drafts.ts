import { useCallback, useEffect, useRef } from 'react';
import type { NewAddress } from '../../shared/checkoutForms';
import type { Schema } from '../../shared/contract';
import { session } from '../server/session';

/**
 * Drafts: unsaved input of forms, for the case that the session ends. After the login the form is as it was. A draft
 * stays in this tab's memory, under its user, until that user logs out, and never holds passwords.
 */
interface Drafts {
  /** A new address, or one that is changed. */
  address: { addressId: string | undefined; values: Schema<'AddressForm'> };
  profile: Record<'fullName' | 'email' | 'phoneNumber' | 'dob' | 'description', string>;
  /** The address of one order: as it is typed at the checkout, and what was chosen there, a saved one by its id. */
  newAddress: NewAddress;
  delivery: { savedId?: string; address: NewAddress };
  /** What else was chosen there: delivery method, discount code, note. */
  wish: { methodId?: string; code?: string; note?: string };
  /** A visitor's message, too: it is theirs still when they have logged in. */
  contact: Record<string, string | undefined>;
  /** The form of the back office that was open: its changed fields, and what they were changes to. */
  staff: { name: string; values: [field: string, value: unknown][]; basis?: unknown };
}

const drafts = new Map<string, unknown>();

let current = session.get()?.id;

session.subscribe(() => {
  const before = current;
  current = session.get()?.id;
  const asVisitor = keyOf('', 'contact');
  const message = before === undefined ? drafts.get(asVisitor) : undefined;
  drafts.delete(asVisitor);
  if (current === undefined && !session.hasLoggedOut()) return; // the same user may sign in again
  if (current !== undefined && message) drafts.set(keyOf(current, 'contact'), message);
  for (const key of drafts.keys()) if (current === undefined || !key.startsWith(current)) drafts.delete(key);
});

/** @returns what this user typed into the form before, if it was neither saved nor given up */
export function findDraft<Form extends keyof Drafts>(userId: string, form: Form): Drafts[Form] | undefined {
  return drafts.get(keyOf(userId, form)) as Drafts[Form] | undefined;
}

/** The form begins with it when its page comes next. */
export function saveDraft<Form extends keyof Drafts>(userId: string, form: Form, draft: Drafts[Form]): void {
  if (mayKeep(userId)) drafts.set(keyOf(userId, form), draft);
}

/**
 * Keeps what stands in the form when its page goes.
 * @param read what to keep; undefined when nothing has changed
 * @returns gives it up: it was saved, or is not wanted any more
 */
export function useDraft<Form extends keyof Drafts>(userId: string, form: Form, read: () => Drafts[Form] | undefined) {
  const latest = useRef(read);
  const isGivenUp = useRef(false);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(
    () => () => {
      const kept = isGivenUp.current ? undefined : latest.current();
      if (kept && mayKeep(userId)) drafts.set(keyOf(userId, form), kept);
      else drafts.delete(keyOf(userId, form));
    },
    [userId, form],
  );
  return useCallback(() => {
    isGivenUp.current = true;
  }, []);
}

/** A form may be unmounted after its user logged out. */
function mayKeep(userId: string): boolean {
  if (current !== undefined) return userId === current;
  return userId === '' || !session.hasLoggedOut();
}

const keyOf = (userId: string, form: keyof Drafts) => `${userId} ${form}`;
