import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { categoryTitle } from '../../../shared/catalog';
import { catalogStaffMessages } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { AdminHead, Pending } from '../ui/AdminHead';
import { Facts } from '../ui/Facts';
import form from '../ui/form.module.css';
import styles from './categories.module.css';
import { DeleteCategoryDialog } from './DeleteCategoryDialog';
import { categoryQuery } from './queries';
import { AdminIcon } from '../ui/AdminIcon';

export function AdminCategoryPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useQuery(categoryQuery(id));
  const { data: category } = query;
  return (
    <>
      <AdminHead title="Category" back={{ to: '/product/category' }}>
        {category && <Actions category={category} />}
      </AdminHead>
      {category && (
        <section className={`${form['box']} ${form['narrow']}`} aria-label="Category">
          <Facts
            rows={[
              ['Title', categoryTitle(category)],
              ['Name', category.name],
              ['Description', category.description],
              [
                'Products',
                <Link
                  key="products"
                  to="/products"
                  search={{ category: category.name }}
                  className={`link ${styles['name']}`}
                >
                  View products
                </Link>,
              ],
            ]}
          />
        </section>
      )}
      <Pending
        query={query}
        failure={catalogStaffMessages.getCategory.failure}
        back={{ to: '/product/category', label: 'Categories' }}
        what="the category"
        className={form['waiting']}
      />
    </>
  );
}

function Actions({ category }: { category: Schema<'Category'> }) {
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button variant="ghost" colorPalette="error" color="error.fg" onClick={() => setDeleting(true)}>
        <AdminIcon name="trash" />
        Delete Category
      </Button>
      <ButtonLink to="/update/product/category/$id" params={{ id: category.id }}>
        <AdminIcon name="edit" />
        Edit Category
      </ButtonLink>
      {isDeleting && (
        <DeleteCategoryDialog
          category={category}
          onClose={() => setDeleting(false)}
          onDone={() => navigate({ to: '/product/category' })}
        />
      )}
    </>
  );
}
