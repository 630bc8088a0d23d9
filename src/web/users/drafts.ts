import { useCallback, useEffect, useRef } from 'react';
import type { NewAddress } from '../../shared/checkoutForms';
import type { Schema } from '../../shared/contract';
import { session } from '../server/session';

/**
 * Drafts: unsaved form input, restored when the session ended and the user logs in again. A draft stays in this tab's
 * memory, under its user, until that user logs out, and never contains passwords.
 */
interface Drafts {
  /** A new address, or one being edited. */
  address: { addressId: string | undefined; values: Schema<'AddressForm'> };
  profile: Record<'fullName' | 'email' | 'phoneNumber' | 'dob' | 'description', string>;
  /** The delivery address at checkout: as typed, and as chosen there (a saved one by its ID). */
  newAddress: NewAddress;
  delivery: { savedId?: string; address: NewAddress };
  /** Other choices at checkout: delivery method, discount code, note. */
  wish: { methodId?: string; code?: string; note?: string };
  /** Also a visitor's message, which stays theirs after the login. */
  contact: Record<string, string | undefined>;
  /** The open back-office form: its changed fields, and the record they are based on. */
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
  if (current === undefined && !session.hasLoggedOut()) return; // the same user may log in again
  if (current !== undefined && message) drafts.set(keyOf(current, 'contact'), message);
  for (const key of drafts.keys()) if (current === undefined || !key.startsWith(current)) drafts.delete(key);
});

/** @returns the user's earlier input into the form, if it was neither saved nor discarded */
export function findDraft<Form extends keyof Drafts>(userId: string, form: Form): Drafts[Form] | undefined {
  return drafts.get(keyOf(userId, form)) as Drafts[Form] | undefined;
}

/** Saves input with which the form starts when its page is next opened. */
export function saveDraft<Form extends keyof Drafts>(userId: string, form: Form, draft: Drafts[Form]): void {
  if (maySave(userId)) drafts.set(keyOf(userId, form), draft);
}

/**
 * Saves the form's input when the page is left.
 * @param read returns the input; undefined when nothing has changed
 * @returns a function that discards the draft, once it is saved or no longer wanted
 */
export function useDraft<Form extends keyof Drafts>(userId: string, form: Form, read: () => Drafts[Form] | undefined) {
  const latest = useRef(read);
  const isDiscarded = useRef(false);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(
    () => () => {
      const draft = isDiscarded.current ? undefined : latest.current();
      if (draft && maySave(userId)) drafts.set(keyOf(userId, form), draft);
      else drafts.delete(keyOf(userId, form));
    },
    [userId, form],
  );
  return useCallback(() => {
    isDiscarded.current = true;
  }, []);
}

/** A form may be unmounted after its user logged out. */
function maySave(userId: string): boolean {
  if (current !== undefined) return userId === current;
  return userId === '' || !session.hasLoggedOut();
}

const keyOf = (userId: string, form: keyof Drafts) => `${userId} ${form}`;
