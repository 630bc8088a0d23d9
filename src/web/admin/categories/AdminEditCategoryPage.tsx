import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { catalogStaffMessages } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { ReadFailure } from '../../connection/ReadFailure';
import { Waiting } from '../../ui/Waiting';
import form from '../ui/form.module.css';
import { AdminHead } from '../ui/AdminHead';
import { CategoryForm } from './CategoryForm';
import { categoryQuery, useUpdateCategory } from './queries';

export function AdminEditCategoryPage() {
  const { id = '' } = useParams({ strict: false });
  const read = useQuery({ ...categoryQuery(id), staleTime: 0 });
  const { data: category, error, isFetchedAfterMount } = read;
  return (
    <>
      <AdminHead title="Edit category" back={{ to: '/product/category' }} />
      {/* the form must start with the shop's current values, not with cached ones */}
      {category && isFetchedAfterMount && <EditForm key={category.id} category={category} />}
      {!category && error && (
        <ReadFailure
          read={read}
          failure={catalogStaffMessages.getCategory.failure}
          back={{ to: '/product/category', label: 'Categories' }}
        />
      )}
      {!isFetchedAfterMount && !error && (
        <Waiting what="the category">
          <span className={`skeleton ${form['waiting']}`} />
        </Waiting>
      )}
    </>
  );
}

function EditForm({ category: { id, name, description, title } }: { category: Schema<'Category'> }) {
  const [before] = useState({ name, description, title });
  return <CategoryForm values={{ ...before, title: before.title ?? '' }} save={useUpdateCategory(id, before)} />;
}
