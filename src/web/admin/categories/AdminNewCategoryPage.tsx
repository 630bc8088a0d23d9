import { AdminHead } from '../ui/AdminHead';
import { CategoryForm } from './CategoryForm';
import { useCreateCategory } from './queries';

const empty = { name: '', description: '', title: '' };

export function AdminNewCategoryPage() {
  const create = useCreateCategory();
  return (
    <>
      <AdminHead title="Add Product Category" back={{ to: '/product/category' }} />
      <CategoryForm values={empty} save={create} />
    </>
  );
}
