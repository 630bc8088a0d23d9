import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { pageForm } from '../../../shared/pagesForms';
import type { StaffPage } from '../../../shared/pages';
import { applySaved } from '../../forms/applySaved';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { ApiError } from '../../server/errors';
import { toast } from '../../ui/toast';
import type { Difference } from '../ui/ConflictPanel';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { findDraftBasis, useStaffDraft } from '../useStaffDraft';
import { differencesOf, isSame, type PageField, type PageValues, valuesOf } from './pageValues';
import { type PageBody, pageQuery, useCreatePage, useSavePage } from './queries';

/** What the form was opened with, or the last state known from the shop. */
interface Basis {
  values: PageValues;
  /** Of a page that exists. */
  saved?: Pick<StaffPage, 'id' | 'version'>;
}

const basisOf = (page: StaffPage): Basis => ({ values: valuesOf(page), saved: { id: page.id, version: page.version } });

export interface PageFormProps {
  /** undefined: a new one. */
  page: StaffPage | undefined;
  initial: PageValues;
}

/**
 * The form of a page and its save. A save that a colleague's change is in the way of is told, and sends nothing until
 * the user saves again.
 */
export function usePageForm({ page, initial }: PageFormProps) {
  const name = `page ${page?.id ?? `new ${initial.slug}`}`;
  const [basis, setBasis] = useState(
    () => (findDraftBasis(name) as Basis | undefined) ?? (page ? basisOf(page) : { values: initial }),
  );
  const form = useShopForm(pageForm, { defaultValues: basis.values });
  const { formState, getValues, handleSubmit, setError } = form;
  useStaffDraft(name, form, { basis });
  const { question, allowLeaving } = useLeaveGuard(formState.isDirty);
  const [differences, setDifferences] = useState<Difference<PageField>[]>([]);
  const [isDeleted, setDeleted] = useState(false);
  const cache = useQueryClient();
  const navigate = useNavigate();

  const create = useCreatePage();
  const update = useSavePage();
  const error = create.error ?? update.error;
  useFieldErrors(isAboutChange(error) ? undefined : error, setError);

  /** Leaves, unless something was typed while it was being saved. */
  const finish = (sent: PageValues, saved: StaffPage) => {
    if (isSame(getValues(), sent)) {
      allowLeaving();
      void navigate({ to: '/admin/pages' });
    } else {
      setBasis(basisOf(saved));
      setDeleted(false);
      applySaved(form, sent, valuesOf(saved));
    }
  };
  const change = (sent: PageValues, body: PageBody, { id, version }: NonNullable<Basis['saved']>) =>
    update.mutate(
      { id, body: { ...body, ...(!isDeleted && { version }) }, restores: isDeleted },
      {
        onSuccess: ({ page: saved }) => finish(sent, saved),
        onError: (rejection) => {
          if (!isAboutChange(rejection)) return;
          if (rejection.code === 'page_not_found') setDeleted(true);
          else void showChange(sent, body, id, rejection);
        },
      },
    );
  /** Shows both values of each field in which the form and the shop differ; if there is none, saves again. */
  const showChange = async (sent: PageValues, body: PageBody, id: string, { message }: ApiError) => {
    const now = await cache.fetchQuery({ ...pageQuery(id), staleTime: 0 }).catch(() => undefined);
    if (!now) return toast.error(message);
    const found = differencesOf(valuesOf(now), basis.values, getValues());
    setBasis(basisOf(now));
    setDifferences(found);
    if (found.length === 0) change(sent, body, now);
    return undefined;
  };
  const submit = handleSubmit((body) => {
    const sent = { ...getValues() };
    setDifferences([]);
    if (basis.saved) change(sent, body, basis.saved);
    else create.mutate(body, { onSuccess: ({ page: saved }) => finish(sent, saved) });
  });

  return { form, submit, question, isSaving: create.isPending || update.isPending, differences, isDeleted };
}

const isAboutChange = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'page_changed' || error.code === 'page_not_found');
