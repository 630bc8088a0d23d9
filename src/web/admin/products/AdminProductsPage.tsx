import { Button } from '../../ui/Button';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { catalogSays } from '../../../shared/catalog';
import { catalogStaffSays, staffLimits } from '../../../shared/catalogStaff';
import { ButtonLink } from '../../ui/ButtonLink';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { focusHeading } from '../../ui/focusHeading';
import { Icon } from '../../ui/Icon';
import { AdminHead } from '../shell/AdminHead';
import { AdminIcon } from '../shell/AdminIcon';
import type { BulkAction } from '../table/BulkBar';
import { DataTable } from '../table/DataTable';
import { ExportButton } from '../table/ExportButton';
import { useTableSearch } from '../table/tableSearch';
import { DeleteDialog } from './DeleteDialog';
import { productColumns } from './productColumns';
import {
  exportProducts,
  productFilters,
  productSorts,
  productsQuery,
  type StaffProduct,
  useCategoryChoices,
  useChangeProducts,
} from './queries';

const ImportDialog = lazy(async () => ({ default: (await import('./ImportDialog')).ImportDialog }));

export function AdminProductsPage() {
  const search = useTableSearch(productFilters, productSorts);
  const [asked] = search;
  const { data, ...answer } = useQuery(productsQuery(asked));
  const categories = useCategoryChoices();
  const [leaving, setLeaving] = useState<StaffProduct>();
  const columns = useMemo(() => productColumns(setLeaving), []);
  const [isImporting, setImporting] = useState(false);
  const bulk = useBulkActions(asked.filters['archived'] === 'yes');
  return (
    <>
      <AdminHead title="Products">
        <ButtonLink to="/new/product">
          <Icon name="plus" />
          Add new Product
        </ButtonLink>
      </AdminHead>
      <DataTable
        label="Products"
        columns={columns}
        list={{ ...answer, data: data?.products }}
        search={search}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        empty={catalogSays.noProducts}
        failure={catalogStaffSays.listProductsForStaff.failure}
        searchLabel="Search products"
        filters={[
          {
            name: 'category',
            label: 'Category',
            options: categories.map(({ name }) => ({ value: name, label: name })),
          },
          {
            name: 'availability',
            label: 'Availability',
            options: [
              { value: 'available', label: 'Available' },
              { value: 'notAvailable', label: 'Not Available' },
            ],
          },
          { name: 'lowStock', label: 'Stock', options: [{ value: 'true', label: lowLabel(data?.lowStockThreshold) }] },
          {
            name: 'archived',
            label: 'Deleted',
            options: [
              { value: 'yes', label: 'only' },
              { value: 'all', label: 'included' },
            ],
          },
        ]}
        bulkActions={bulk.actions}
        hasPictures
        tools={
          <>
            <Button variant="outline" onClick={() => setImporting(true)}>
              <AdminIcon name="upload" />
              Import CSV
            </Button>
            <ExportButton fileName="products.csv" read={() => exportProducts(asked)} />
          </>
        }
      />
      {leaving && <DeleteDialog product={leaving} onClose={() => setLeaving(undefined)} />}
      {bulk.dialog}
      {isImporting && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  );
}

const lowLabel = (threshold: number | undefined) => (threshold === undefined ? 'low' : `low (${threshold} or fewer)`);

/** @param isAboutDeleted the list shows only what was deleted: it can be taken back */
function useBulkActions(isAboutDeleted: boolean) {
  const { mutate } = useChangeProducts();
  const [asksAbout, setAsksAbout] = useState<{ ids: string[]; clear: () => void }>();
  const done = (clear: () => void) => () => {
    clear();
    focusHeading(); // the button that had the focus goes
  };
  const act =
    (change: 'restore' | 'makeAvailable' | 'makeNotAvailable'): BulkAction<StaffProduct>['act'] =>
    (ids, _, clear) =>
      mutate({ ids, change }, { onSuccess: done(clear) });
  const actions: BulkAction<StaffProduct>[] = isAboutDeleted
    ? [{ label: 'Restore', act: act('restore'), most: staffLimits.productsAtOnce }]
    : [
        { label: 'Make available', act: act('makeAvailable'), most: staffLimits.productsAtOnce },
        { label: 'Make not available', act: act('makeNotAvailable'), most: staffLimits.productsAtOnce },
        {
          label: 'Delete',
          isDangerous: true,
          act: (ids, _, clear) => setAsksAbout({ ids, clear }),
          most: staffLimits.productsAtOnce,
        },
      ];
  const dialog = asksAbout && (
    <ConfirmDialog
      title={asksAbout.ids.length === 1 ? 'Delete 1 product?' : `Delete ${asksAbout.ids.length} products?`}
      text={catalogStaffSays.deleteKeeps}
      action="Delete"
      onConfirm={() => mutate({ ids: asksAbout.ids, change: 'archive' }, { onSuccess: done(asksAbout.clear) })}
      onClose={() => setAsksAbout(undefined)}
    />
  );
  return { actions, dialog };
}
