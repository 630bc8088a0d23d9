import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { catalogStaffSays } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { focusHeading } from '../../ui/focusHeading';
import { AdminHead } from '../shell/AdminHead';
import type { BulkAction } from '../table/BulkBar';
import { DataTable } from '../table/DataTable';
import { ExportButton } from '../table/ExportButton';
import { columnsOf } from '../table/features';
import { RowMenu } from '../table/RowMenu';
import { useTableSearch } from '../table/tableSearch';
import { bulkMost } from '../useBulkChange';
import { DeleteCategoryDialog } from './DeleteCategoryDialog';
import styles from './categories.module.css';
import { categorySorts, exportCategories, staffCategoriesQuery, useDeleteCategories } from './queries';

type Category = Schema<'StaffCategory'>;
const { accessor, columns, display } = columnsOf<Category>();
const noFilters = {};

export function AdminCategoriesPage() {
  const search = useTableSearch(noFilters, categorySorts);
  const list = useQuery(staffCategoriesQuery(search[0]));
  const [leaving, setLeaving] = useState<Category>();
  const bulk = useBulkDelete();
  const shown = useMemo(() => categoryColumns(setLeaving), []);
  return (
    <>
      <AdminHead title="Product Category">
        <ButtonLink to="/new/product/category">
          <Icon name="plus" />
          Add Product Category
        </ButtonLink>
      </AdminHead>
      <DataTable
        label="Product categories"
        columns={shown}
        list={list}
        search={search}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        empty={catalogStaffSays.noCategories}
        failure={catalogStaffSays.listCategoriesForStaff.failure}
        searchLabel="Search categories"
        bulkActions={bulk.actions}
        tools={<ExportButton fileName="categories.csv" read={() => exportCategories(search[0])} />}
      />
      {bulk.dialog}
      {leaving && <DeleteCategoryDialog category={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

function useBulkDelete() {
  const { mutate } = useDeleteCategories();
  const [asksAbout, setAsksAbout] = useState<{ ids: string[]; clear: () => void }>();
  const actions: BulkAction<Category>[] = [
    { label: 'Delete', isDangerous: true, most: bulkMost, act: (ids, _, clear) => setAsksAbout({ ids, clear }) },
  ];
  const dialog = asksAbout && (
    <ConfirmDialog
      title={asksAbout.ids.length === 1 ? 'Delete 1 category?' : `Delete ${asksAbout.ids.length} categories?`}
      text={catalogStaffSays.deleteCategoryText}
      action="Delete"
      onConfirm={() =>
        mutate(
          asksAbout.ids.map((id) => ({ id })),
          {
            onSuccess: () => {
              asksAbout.clear();
              focusHeading(); // the button that had the focus goes
            },
          },
        )
      }
      onClose={() => setAsksAbout(undefined)}
    />
  );
  return { actions, dialog };
}

/** Source: specification §2 */
const categoryColumns = (onDelete: (category: Category) => void) =>
  columns([
    display({ id: 'number', header: '#' }),
    accessor('name', {
      header: 'Product',
      cell: ({ row: { original } }) => (
        <Link to="/view/product/category/$id" params={{ id: original.id }} className={`link cap ${styles['name']}`}>
          {original.name}
        </Link>
      ),
      meta: { onPhone: 'title' },
    }),
    accessor('description', { header: 'Description', meta: { isMuted: true } }),
    display({
      id: 'menu',
      header: () => <span className="sr-only">Menu</span>,
      cell: ({ row: { original } }) => (
        <RowMenu
          of={original.name}
          entries={[
            { label: 'View Category', icon: 'eye', to: `/view/product/category/${original.id}` },
            { label: 'Edit Category', icon: 'edit', to: `/update/product/category/${original.id}` },
            { label: 'Delete Category', icon: 'trash', isDangerous: true, onSelect: () => onDelete(original) },
          ]}
        />
      ),
    }),
  ]);
