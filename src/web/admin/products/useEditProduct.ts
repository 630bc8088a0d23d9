import { useState } from 'react';
import { catalogMessages as messages } from '../../../shared/catalog';
import { ApiError } from '../../server/errors';
import { toast } from '../../ui/toast';
import { findDraftBasis } from '../useStaffDraft';
import { draftName, type Basis, type Saving } from './ProductForm';
import { valuesOf } from './productValues';
import type { StaffProduct } from './queries';
import { rowsOf } from './sizeRows';
import { useUndoRemoval } from './sizes';
import { useFinish, useUpdateProduct } from './useSaveProduct';

type Counted = Required<Basis>;
type Shown = Pick<Counted, 'version' | 'quantityWas'>;
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
  const { undoLater } = useUndoRemoval();
  const save = (form: Saving, { version, quantityWas }: Shown = basis) => {
    const { fields, removedSizes } = form.sizes.toSend();
    update(
      { id, values: { ...form.values, ...fields }, version, quantityWas },
      {
        onSuccess: ({ product: saved }) => {
          const { quantity } = saved;
          const values = form.isSaved(quantity);
          setBasis((before) => ({ ...before, values, version: saved.version, quantityWas: quantity }));
          if (removedSizes.length > 0) undoLater(removedSizes);
          form.sizes.learn(undefined);
          void finishAndLearn(form);
        },
        onError: (rejection) => {
          if (rejection instanceof ApiError && rejection.code === 'product_changed')
            void handleConflict(form, rejection);
        },
      },
    );
  };
  /** A form that stays open, because a photo was refused, goes on with the sizes that the shop has now. */
  const finishAndLearn = async (form: Saving) => {
    const isLeft = await finish(id, form, false);
    if (!isLeft) form.sizes.learn((await refetch()).data);
  };
  /** Shows both values of each conflict; if the form already has the shop's values, saves again. */
  const handleConflict = async (form: Saving, { message, errors }: ApiError) => {
    const { data: now, isSuccess } = await refetch();
    if (!now || !isSuccess) return toast.error(message);
    const next = { ...countedFrom(now), quantityWas: basis.quantityWas };
    setBasis(next);
    if (now.archivedAt && !product.archivedAt) return toast.error(messages.noLongerSold); // saved only if the user saves again
    if (form.showChange(now, basis.quantityWas, errors)) setBasis(countedFrom(now));
    else save(form, next);
  };
  return { basis, save, error, isSaving: isPending || isFinishing };
}

function countedFrom(product: StaffProduct): Counted {
  const { rows: sizes, ownPlace } = rowsOf(product);
  return { values: valuesOf(product), sizes, ownPlace, version: product.version, quantityWas: product.quantity };
}
