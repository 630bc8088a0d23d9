import { customerMessages as messages } from '../../shared/customers';
import { customerNoteForm, customerTagsForm } from '../../shared/customersForms';
import type { Schema } from '../../shared/contract';
import type { ContractApi } from '../http/contract/contract';
import { addCustomerNote, listCustomerTags, readCustomerSummary, setCustomerTags } from './customers';

export function customerRoutes(api: ContractApi): void {
  api.on('getCustomerSummary', async ({ db, params }) =>
    answer(messages.getCustomerSummary.success, await readCustomerSummary(db, params.id)),
  );
  api.on(
    'addCustomerNote',
    async ({ tx, params, body, ...call }) =>
      answer(messages.addCustomerNote.success, await addCustomerNote(tx, params.id, body.text, call)),
    { form: customerNoteForm },
  );
  api.on(
    'setCustomerTags',
    async ({ tx, params, body, ...call }) =>
      answer(messages.setCustomerTags.success, await setCustomerTags(tx, params.id, body, call)),
    { form: customerTagsForm },
  );
  api.on('listCustomerTags', async ({ db }) => ({
    message: messages.listCustomerTags.success,
    data: { tags: await listCustomerTags(db) },
  }));
}

const answer = (message: string, summary: Schema<'CustomerSummary'>) => ({ message, data: { summary } });
