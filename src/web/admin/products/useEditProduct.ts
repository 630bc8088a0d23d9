import { useState } from 'react';
import { catalogMessages as messages } from '../../../shared/catalog';
import { ApiError } from '../../server/errors';
import { toast } from '../../ui/toast';
import { findDraftBasis } from '../useStaffDraft';
import { draftName, type Basis, type Saving } from './ProductForm';
import { valuesOf } from './productValues';
import type { StaffProduct } from './queries';
import { useFinish, useUpdateProduct } from './useSaveProduct';

type Counted = Required<Basis>;
/** Refetches the product. */
export type Refetch = () => Promise<{ data: StaffProduct | undefined; isSuccess: boolean }>;

export const viewOf = (id: string) => `/view/product/${id}`;

/**
 * Saves the form of an existing product. The server applies the difference of the quantities, so each save counts from
 * the quantity that the form last showed: after a successful save, from that one.
 * Rule: docs/rules/catalog.md, Product form
 */
export function useEditProduct(product: StaffProduct, refetch: Refetch) {
  const { id } = product;
  const [basis, setBasis] = useState(() => (findDraftBasis(draftName(viewOf(id))) as Counted) ?? countedFrom(product));
  const { mutate: update, isPending, error } = useUpdateProduct();
  const { finish, isFinishing } = useFinish();
  const save = (form: Saving, { version, quantityWas }: Omit<Counted, 'values'> = basis) =>
    update(
      { id, values: form.values, version, quantityWas },
      {
        onSuccess: ({ product: saved }) => {
          setBasis({ values: form.isSaved(saved.quantity), version: saved.version, quantityWas: saved.quantity });
          void finish(id, form, false);
        },
        onError: (rejection) => {
          if (rejection instanceof ApiError && rejection.code === 'product_changed')
            void handleConflict(form, rejection);
        },
      },
    );
  /** Shows both values of each conflict; if the form already has the shop's values, saves again. */
  const handleConflict = async (form: Saving, { message }: ApiError) => {
    const { data: now, isSuccess } = await refetch();
    if (!now || !isSuccess) return toast.error(message);
    const next = { ...countedFrom(now), quantityWas: basis.quantityWas };
    setBasis(next);
    if (now.archivedAt && !product.archivedAt) return toast.error(messages.noLongerSold); // saved only if the user saves again
    if (form.showChange(now, basis.quantityWas)) setBasis(countedFrom(now));
    else save(form, next);
  };
  return { basis, save, error, isSaving: isPending || isFinishing };
}

const countedFrom = (product: StaffProduct): Counted => ({
  values: valuesOf(product),
  version: product.version,
  quantityWas: product.quantity,
});
