import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { catalogStaffMessages, importMessages } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { answer, api } from '../../server/client';
import { ApiError } from '../../server/errors';
import { type FormFields, useStaffChange, multipart } from '../staffCalls';
import type { Saving } from './ProductForm';
import { categoryChoicesQuery } from './queries';
import { useSavePhotos } from './useSavePhotos';

/** The request body, parsed by the form's rules. */
type ProductBody = Schema<'ProductForm'>;
type NewProduct = { values: FormFields };
/** `quantityWas` and `version` are what the form showed. */
type ChangedProduct = NewProduct & { id: string; quantityWas: number; version: number };

export function useCreateProduct() {
  const cache = useQueryClient();
  return useStaffChange({
    send: async ({ values }: NewProduct, { header }) => {
      // fetched at send time: the page may not have rendered since the categories loaded
      const categories = await cache.ensureQueryData(categoryChoicesQuery());
      const chosen = categories.find(({ name }) => name === values['category']);
      if (!chosen) throw noSuchCategory;
      return answer(
        api.POST('/admin/products/create/{categoryId}', {
          params: { path: { categoryId: chosen.id }, header },
          ...multipart<ProductBody>(values),
        }),
      );
    },
    meta: catalogStaffMessages.createProduct,
  });
}

const noSuchCategory = new ApiError(404, {
  code: 'not_found',
  message: importMessages.noCategory,
  errors: [{ field: 'category', message: importMessages.noCategory }],
});

export function useUpdateProduct() {
  return useStaffChange({
    send: ({ id, values, ...shown }: ChangedProduct, { header }) =>
      answer(
        api.PUT('/admin/products/update/{id}', {
          params: { path: { id }, header },
          ...multipart<ProductBody>({ ...values, ...shown }),
        }),
      ),
    meta: { ...catalogStaffMessages.updateProduct, shownOnPage: ['product_changed'] },
  });
}

/** Sends the photos after the other fields were saved, then opens the product's page. `finish` says whether it did. */
export function useFinish() {
  const navigate = useNavigate();
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const { save, isSaving } = useSavePhotos();
  const finish = async (
    id: string,
    { photos, allowLeaving }: Pick<Saving, 'photos' | 'allowLeaving'>,
    isNew: boolean,
  ): Promise<boolean> => {
    const isSettled = await save(id, photos);
    if (isLeft.current) return true; // the user left during the upload, which continues
    if (isSettled || isNew) allowLeaving();
    if (isSettled) await navigate({ to: '/view/product/$id', params: { id } });
    else if (isNew) await navigate({ to: '/update/product/$id', params: { id } });
    return isSettled || isNew;
  };
  return { finish, isFinishing: isSaving };
}
