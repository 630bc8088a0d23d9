import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { categoryTitle } from '../../../shared/catalog';
import { catalogStaffMessages } from '../../../shared/catalogStaff';
import { categoriesList } from '../../../shared/categoriesList';
import type { Schema } from '../../../shared/contract';
import { formatCount } from '../../../shared/counts';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import { DataTable } from '../table/DataTable';
import { RowMenu } from '../table/RowMenu';
import { useTableSearch } from '../table/tableSearch';
import { useConfirmedAction } from '../table/useAskedAction';
import { maxBulkRows } from '../table/useBulkChange';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import styles from './categories.module.css';
import { DeleteCategoryDialog } from './DeleteCategoryDialog';
import { exportCategories, staffCategoriesQuery, useDeleteCategories } from './queries';

type Category = Schema<'StaffCategory'>;

export function AdminCategoriesPage() {
  const search = useTableSearch(categoriesList);
  const list = useQuery(staffCategoriesQuery(search[0]));
  const [deleting, setDeleting] = useState<Category>();
  const [deletion, question] = useBulkDelete();
  const shown = useMemo(() => categoryColumns(setDeleting), []);
  return (
    <>
      <AdminHead title="Categories">
        <ButtonLink to="/new/product/category">
          <Icon name="plus" />
          Add Product Category
        </ButtonLink>
      </AdminHead>
      <DataTable
        columns={shown}
        list={list}
        search={search}
        rowName={categoryTitle}
        empty={catalogStaffMessages.noCategories}
        failure={catalogStaffMessages.listCategoriesForStaff.failure}
        bulkActions={[deletion]}
        readFile={() => exportCategories(search[0])}
      />
      {question}
      {deleting && <DeleteCategoryDialog category={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

function useBulkDelete() {
  const { mutate } = useDeleteCategories();
  return useConfirmedAction({
    label: 'Delete',
    maxRows: maxBulkRows,
    names: ['category', 'categories'],
    text: catalogStaffMessages.deleteCategoryText,
    act: (ids, onSuccess) =>
      mutate(
        ids.map((id) => ({ id })),
        { onSuccess },
      ),
  });
}

/** Rule: docs/rules/back-office.md, Lists */
const categoryColumns = (onDelete: (category: Category) => void) =>
  columnsOf<typeof categoriesList, Category>(
    categoriesList,
    {
      name: {
        render: (category) => (
          <Link to="/view/product/category/$id" params={{ id: category.id }} className={`link ${styles['name']}`}>
            {categoryTitle(category)}
          </Link>
        ),
        onPhone: 'title',
      },
      description: { render: ({ description }) => description, isMuted: true },
      products: {
        render: ({ name, products }) => (
          <Link to="/products" search={{ category: name }} className={`link ${styles['count']}`}>
            {formatCount(products)}
          </Link>
        ),
        onPhone: 'named',
      },
    },
    (category) => (
      <RowMenu
        of={categoryTitle(category)}
        entries={[
          { label: 'View Category', icon: 'eye', to: `/view/product/category/${category.id}` },
          { label: 'Edit Category', icon: 'edit', to: `/update/product/category/${category.id}` },
          { label: 'Delete Category', icon: 'trash', isDangerous: true, onSelect: () => onDelete(category) },
        ]}
      />
    ),
  );
