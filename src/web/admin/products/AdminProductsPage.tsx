import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { catalogMessages, categoryTitle } from '../../../shared/catalog';
import { catalogStaffMessages, type ProductsChangeName, staffLimits } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { formatCount } from '../../../shared/counts';
import { productsList } from '../../../shared/productsList';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import type { BulkAction } from '../table/BulkBar';
import { DataTable } from '../table/DataTable';
import { chipsOf, useTableSearch } from '../table/tableSearch';
import { useConfirmedAction } from '../table/useAskedAction';
import { AdminHead } from '../ui/AdminHead';
import { AdminIcon } from '../ui/AdminIcon';
import { DeleteDialog } from './DeleteDialog';
import { productColumns } from './productColumns';
import {
  exportProducts,
  productFiltersQuery,
  productsQuery,
  type StaffProduct,
  categoryChoicesQuery,
  useChangeProducts,
} from './queries';

export function AdminProductsPage() {
  const search = useTableSearch(productsList);
  const [view] = search;
  const { data, ...answer } = useQuery(productsQuery(view));
  const { data: categories = [] } = useQuery(categoryChoicesQuery());
  const { data: { suppliers, tags } = {} } = useQuery(productFiltersQuery(view.filters.archived));
  const [deleting, setDeleting] = useState<StaffProduct>();
  const columns = useMemo(() => productColumns(setDeleting), []);
  const [actions, question] = useBulkActions(view.filters.archived === 'yes');
  return (
    <>
      <AdminHead title="Products">
        <ButtonLink to="/new/product">
          <Icon name="plus" />
          Add new Product
        </ButtonLink>
      </AdminHead>
      <DataTable
        columns={columns}
        list={{ ...answer, data: data?.products }}
        search={search}
        rowName={({ name }) => name}
        empty={catalogMessages.noProducts}
        failure={catalogStaffMessages.listProductsForStaff.failure}
        filters={chipsOf(productsList, {
          category: categories.map((category) => ({ value: category.name, label: categoryTitle(category) })),
          supplier: optionsOf(suppliers, view.filters.supplier),
          tag: optionsOf(tags, view.filters.tag),
          lowStock: [{ value: 'true', label: lowLabel(data?.lowStockThreshold) }],
        })}
        bulkActions={actions}
        hasPictures
        tools={
          <ButtonLink to="/admin/products/import" variant="outline">
            <AdminIcon name="upload" />
            Import CSV
          </ButtonLink>
        }
        readFile={() => exportProducts(view)}
      />
      {deleting && <DeleteDialog product={deleting} onClose={() => setDeleting(undefined)} />}
      {question}
    </>
  );
}

/**
 * @param set the value in the URL, which can always be removed
 * @returns undefined if no product has a value
 */
function optionsOf(values: readonly Schema<'ProductFilterValue'>[] = [], set: string | undefined) {
  if (values.length === 0 && set === undefined) return undefined;
  return values.map(({ value, products }) => ({ value, label: `${value} (${formatCount(products)})` }));
}

const lowLabel = (threshold: number | undefined) => (threshold === undefined ? 'Low' : `Low (${threshold} or fewer)`);

/** @param isAboutDeleted the list shows deleted products, which can be restored */
function useBulkActions(isAboutDeleted: boolean): [BulkAction[], question: ReactNode] {
  const { mutate } = useChangeProducts();
  const maxRows = staffLimits.maxBulkProducts;
  const act =
    (change: ProductsChangeName): BulkAction['act'] =>
    (ids, onSuccess) =>
      mutate({ ids, change }, { onSuccess });
  const [deletion, question] = useConfirmedAction({
    label: 'Delete',
    maxRows,
    names: ['product', 'products'],
    text: catalogStaffMessages.deleteKeeps,
    act: act('archive'),
  });
  if (isAboutDeleted) return [[{ label: 'Restore', maxRows, act: act('restore') }], question];
  return [
    [
      { label: 'Make available', maxRows, act: act('makeAvailable') },
      { label: 'Make unavailable', maxRows, act: act('makeNotAvailable') },
      deletion,
    ],
    question,
  ];
}
