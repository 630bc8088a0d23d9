import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { pageForm } from '../../../shared/pagesForms';
import type { StaffPage } from '../../../shared/pages';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { ApiError } from '../../server/errors';
import { toast } from '../../ui/toast';
import type { Difference } from '../ui/ConflictPanel';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { findDraftBasis, useStaffDraft } from '../useStaffDraft';
import { differencesOf, type PageField, type PageValues, valuesOf } from './pageValues';
import { type PageBody, useCreatePage, useSavePage } from './queries';

/** What the form was opened with, or the last state known from the shop. */
interface Basis {
  values: PageValues;
  version?: number;
}

export interface PageFormProps {
  /** undefined: a new one. */
  page: StaffPage | undefined;
  initial: PageValues;
  /** Reads the page again. */
  refetch?: () => Promise<{ data: StaffPage | undefined; isSuccess: boolean }>;
}

/**
 * The form of a page and its save. A save that a colleague's change is in the way of is told, and sends nothing until
 * the user saves again.
 */
export function usePageForm({ page, initial, refetch }: PageFormProps) {
  const name = `page ${page?.id ?? `new ${initial.slug}`}`;
  const [basis, setBasis] = useState<Basis>(
    () =>
      (findDraftBasis(name) as Basis | undefined) ?? {
        values: page ? valuesOf(page) : initial,
        ...(page && { version: page.version }),
      },
  );
  const form = useShopForm(pageForm, { defaultValues: basis.values });
  const { formState, getValues, handleSubmit, setError } = form;
  useStaffDraft(name, form, { basis });
  const { question, allowLeaving } = useLeaveGuard(formState.isDirty);
  const [differences, setDifferences] = useState<Difference<PageField>[]>([]);
  const [isDeleted, setDeleted] = useState(false);
  const navigate = useNavigate();
  const leave = () => {
    allowLeaving();
    void navigate({ to: '/admin/pages' });
  };

  const create = useCreatePage();
  const update = useSavePage();
  const error = create.error ?? update.error;
  useFieldErrors(isAboutChange(error) ? undefined : error, setError);

  const change = (id: string, body: PageBody, { version }: Basis) =>
    update.mutate(
      { id, body: { ...body, ...(version !== undefined && !isDeleted && { version }) }, restores: isDeleted },
      {
        onSuccess: leave,
        onError: (rejection) => {
          if (!isAboutChange(rejection)) return;
          if (rejection.code === 'page_not_found') setDeleted(true);
          else void showChange(id, body, rejection);
        },
      },
    );
  /** Shows both values of each field in which the form and the shop differ; if there is none, saves again. */
  const showChange = async (id: string, body: PageBody, { message }: ApiError) => {
    const { data: now, isSuccess } = (await refetch?.()) ?? {};
    if (!now || !isSuccess) return toast.error(message);
    const next = { values: valuesOf(now), version: now.version };
    const found = differencesOf(next.values, basis.values, getValues());
    setBasis(next);
    setDifferences(found);
    if (found.length === 0) change(id, body, next);
    return undefined;
  };
  const submit = handleSubmit((body) => {
    setDifferences([]);
    if (page) change(page.id, body, basis);
    else create.mutate(body, { onSuccess: leave });
  });

  return { form, submit, question, isSaving: create.isPending || update.isPending, differences, isDeleted };
}

const isAboutChange = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'page_changed' || error.code === 'page_not_found');
