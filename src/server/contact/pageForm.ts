import { contactForm } from '../../shared/contactForms';
import type { Schema } from '../../shared/contract';
import type { Parts } from '../app';
import { transact } from '../db/transact';
import { admit } from '../http/access';
import { checkForm } from '../http/forms';
import type { PageForm } from '../http/pageForms';
import { takeMessage } from './service';

/** The contact page's form, as a browser without JavaScript sends it. */
export const contactPageForm = ({ db, clock, sessions, config }: Parts): PageForm => ({
  path: '/contact',
  leadsTo: '/thankyoupage',
  fields: ['fullName', 'email', 'phone', 'reason', 'website'],
  async take(values, request) {
    const admission = { authenticate: sessions.authenticate, publicOrigin: config.publicUrl.origin };
    const session = await admit(request, anybody, admission);
    const message = checkForm(contactForm, values) as Schema<'ContactMessage'>;
    const writer = { userId: session?.userId, address: request.ip, now: clock.now() };
    await transact(db, (tx) => takeMessage(tx, message, writer));
  },
});

const anybody = {
  roles: ['visitor', 'customer', 'admin', 'owner'],
  own: [],
  whileUnfinished: false,
  ignoresAuthorization: false,
} as const;
