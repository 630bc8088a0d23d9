import { queryOptions } from '@tanstack/react-query';
import { deviceFirst } from '../catalog/core/deviceFirst';
import { answer, api } from '../server/client';

/** A published page of the owner. */
export const pageQuery = (slug: string) =>
  queryOptions({
    queryKey: ['page', slug],
    queryFn: deviceFirst(
      (device) => device.pageAt(slug),
      async (signal) => (await answer(api.GET('/public/pages/{slug}', { params: { path: { slug } }, signal }))).page,
    ),
  });
