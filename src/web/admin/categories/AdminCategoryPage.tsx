import { Button } from '../../ui/Button';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { catalogSays } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { useHonestSentence } from '../../offline/useHonestSentence';
import { ButtonLink } from '../../ui/ButtonLink';
import { FailureNotice } from '../../ui/FailureNotice';
import { Icon } from '../../ui/Icon';
import { Facts } from '../Facts';
import form from '../form.module.css';
import { AdminHead } from '../shell/AdminHead';
import styles from './categories.module.css';
import { DeleteCategoryDialog } from './DeleteCategoryDialog';
import { categoryQuery } from './queries';

export function AdminCategoryPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: category, error, refetch } = useQuery(categoryQuery(id));
  const failure = useHonestSentence(catalogSays.getCategory.failure);
  return (
    <>
      <AdminHead title="View Product Category" back={{ to: '/product/category' }}>
        {category && <Actions category={category} />}
      </AdminHead>
      {category && (
        <section className={`${form['box']} ${form['narrow']}`} aria-label="Category">
          <Facts
            rows={[
              [
                'Name',
                <span key="name" className="cap">
                  {category.name}
                </span>,
              ],
              ['Description', category.description],
              ['Banner', category.title],
              [
                'Products',
                <Link
                  key="products"
                  to="/products"
                  search={{ category: category.name } as never}
                  className={`link ${styles['name']}`}
                >
                  Its products
                </Link>,
              ],
            ]}
          />
        </section>
      )}
      {!category && error && <FailureNotice sentence={failure} onRetry={refetch} />}
      {!category && !error && <output className={`skeleton ${form['waiting']}`} aria-label="Loading the category" />}
    </>
  );
}

function Actions({ category }: { category: Schema<'Category'> }) {
  const [isLeaving, setLeaving] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button variant="ghost" colorPalette="error" color="error.fg" onClick={() => setLeaving(true)}>
        <Icon name="trash" />
        Delete Category
      </Button>
      <ButtonLink to="/update/product/category/$id" params={{ id: category.id }}>
        <Icon name="edit" />
        Edit Category
      </ButtonLink>
      {isLeaving && (
        <DeleteCategoryDialog
          category={category}
          onClose={() => setLeaving(false)}
          onDone={() => navigate({ to: '/product/category' })}
        />
      )}
    </>
  );
}
