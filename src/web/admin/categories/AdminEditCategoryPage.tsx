import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { catalogSays } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { useHonestSentence } from '../../connection/useHonestSentence';
import { FailureNotice } from '../../ui/FailureNotice';
import form from '../ui/form.module.css';
import { AdminHead } from '../ui/AdminHead';
import { CategoryForm } from './CategoryForm';
import { categoryQuery, useUpdateCategory } from './queries';

export function AdminEditCategoryPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: category, error, refetch, isFetchedAfterMount } = useQuery({ ...categoryQuery(id), staleTime: 0 });
  const failure = useHonestSentence(catalogSays.getCategory.failure);
  return (
    <>
      <AdminHead title="Edit Product Category" back={{ to: '/product/category' }} />
      {/* a form begins with what the shop has now, not with what was read before */}
      {category && isFetchedAfterMount && <EditForm key={category.id} category={category} />}
      {!category && error && <FailureNotice sentence={failure} onRetry={refetch} />}
      {!isFetchedAfterMount && !error && (
        <output className={`skeleton ${form['waiting']}`} aria-label="Loading the category" />
      )}
    </>
  );
}

function EditForm({ category: { id, name, description, title } }: { category: Schema<'Category'> }) {
  const [values] = useState({ name, description, title: title ?? '' });
  return <CategoryForm values={values} save={useUpdateCategory(id)} />;
}
