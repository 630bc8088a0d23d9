import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { catalogStaffMessages, importMessages } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { answer, api } from '../../server/client';
import { ApiError } from '../../server/errors';
import { keyed, newKey } from '../../server/keys';
import { withProgress } from './upload';
import { asForm, type FormFields, useStaffChange, multipart } from '../staffCalls';
import type { PictureChoice } from './PictureField';
import type { Saving } from './ProductForm';
import { categoryChoicesQuery } from './queries';
import { preparePicture } from '../../forms/preparePicture';

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

/** Uploads or removes the picture after the other fields were saved, then opens the product's page. */
export function useFinish() {
  const navigate = useNavigate();
  const [progress, setProgress] = useState<number>();
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const upload = useStaffChange({
    send: async ({ id, file }: { id: string; file: File }) => {
      setProgress(0);
      const prepared = await preparePicture(file); // again: the form may have been saved before the first check finished
      if ('wrong' in prepared) throw new ApiError(400, { code: 'not_a_picture', message: prepared.wrong, errors: [] });
      const form = asForm({ file: prepared.picture });
      const { product } = await answer(
        api.PUT('/admin/products/{id}/picture', {
          // a new key for each attempt: the browser may scale the same photo to different bytes
          params: { path: { id }, ...keyed(newKey()) },
          body: { file: file.name },
          bodySerializer: () => form,
          fetch: withProgress(form, setProgress),
        }),
      );
      return product;
    },
    meta: catalogStaffMessages.uploadPicture,
  });
  const remove = useStaffChange({
    send: (id: string, { header }) =>
      answer(api.DELETE('/admin/products/{id}/picture', { params: { path: { id }, header } })),
    meta: { failure: catalogStaffMessages.removePicture.failure },
  });
  /** @returns whether the picture was saved; an error has already been shown */
  const settlePicture = async (id: string, picture: PictureChoice): Promise<boolean> => {
    try {
      if (picture instanceof File) await upload.mutateAsync({ id, file: picture });
      if (picture === 'removed') await remove.mutateAsync(id);
      return true;
    } catch {
      return false;
    } finally {
      setProgress(undefined);
    }
  };
  const finish = async (
    id: string,
    { picture, allowLeaving }: Pick<Saving, 'picture' | 'allowLeaving'>,
    isNew: boolean,
  ) => {
    const isSettled = await settlePicture(id, picture);
    if (isLeft.current) return; // the user left during the upload, which continues
    if (isSettled || isNew) allowLeaving();
    if (isSettled) await navigate({ to: '/view/product/$id', params: { id } });
    else if (isNew) await navigate({ to: '/update/product/$id', params: { id } });
  };
  return { finish, progress, isFinishing: upload.isPending || remove.isPending };
}
