import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { categoryTitle } from '../../../shared/catalog';
import { catalogStaffSays } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { formatCount } from '../../../shared/counts';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import { DataTable } from '../table/DataTable';
import { ExportButton } from '../table/ExportButton';
import { RowMenu } from '../table/RowMenu';
import { useTableSearch } from '../table/tableSearch';
import { useAskedAction } from '../table/useAskedAction';
import { bulkMost } from '../table/useBulkChange';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import styles from './categories.module.css';
import { DeleteCategoryDialog } from './DeleteCategoryDialog';
import { categoryRules, exportCategories, staffCategoriesQuery, useDeleteCategories } from './queries';

type Category = Schema<'StaffCategory'>;
const { accessor, columns, display, menu } = columnsOf<Category>();

export function AdminCategoriesPage() {
  const search = useTableSearch(categoryRules);
  const list = useQuery(staffCategoriesQuery(search[0]));
  const [leaving, setLeaving] = useState<Category>();
  const [deletion, question] = useBulkDelete();
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
        rowName={categoryTitle}
        empty={catalogStaffSays.noCategories}
        failure={catalogStaffSays.listCategoriesForStaff.failure}
        searchLabel="Search categories"
        bulkActions={[deletion]}
        tools={<ExportButton fileName="categories.csv" read={() => exportCategories(search[0])} />}
      />
      {question}
      {leaving && <DeleteCategoryDialog category={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

function useBulkDelete() {
  const { mutate } = useDeleteCategories();
  return useAskedAction({
    label: 'Delete',
    most: bulkMost,
    names: ['category', 'categories'],
    text: catalogStaffSays.deleteCategoryText,
    act: (ids, onSuccess) =>
      mutate(
        ids.map((id) => ({ id })),
        { onSuccess },
      ),
  });
}

/** Rule: docs/rules/back-office.md, Lists */
const categoryColumns = (onDelete: (category: Category) => void) =>
  columns([
    display({ id: 'number', header: '#' }),
    accessor('name', {
      header: 'Product', // as specified
      cell: ({ row: { original } }) => (
        <Link to="/view/product/category/$id" params={{ id: original.id }} className={`link ${styles['name']}`}>
          {categoryTitle(original)}
        </Link>
      ),
      meta: { onPhone: 'title' },
    }),
    accessor('description', { header: 'Description', meta: { isMuted: true } }),
    accessor('products', {
      header: 'Products',
      cell: ({ row: { original } }) => (
        <Link to="/products" search={{ category: original.name }} className={`link ${styles['count']}`}>
          {formatCount(original.products)}
        </Link>
      ),
      meta: { isFigure: true, onPhone: 'named' },
    }),
    menu((original) => (
      <RowMenu
        of={categoryTitle(original)}
        entries={[
          { label: 'View Category', icon: 'eye', to: `/view/product/category/${original.id}` },
          { label: 'Edit Category', icon: 'edit', to: `/update/product/category/${original.id}` },
          { label: 'Delete Category', icon: 'trash', isDangerous: true, onSelect: () => onDelete(original) },
        ]}
      />
    )),
  ]);
