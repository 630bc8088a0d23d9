import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { countOf } from '../../../shared/counts';
import { discountStaffMessages as messages } from '../../../shared/discountsStaff';
import { AdminHead, Pending } from '../ui/AdminHead';
import { netOf } from '../reports/rows';
import form from '../ui/form.module.css';
import { DiscountForm } from './DiscountForm';
import styles from './discounts.module.css';
import { type Discount, discountQuery, useUpdateDiscount } from './queries';

export function AdminDiscountPage() {
  const { discountId = '' } = useParams({ strict: false });
  const query = useQuery({ ...discountQuery(discountId), staleTime: 0 });
  const { data: discount, isFetchedAfterMount } = query;
  return (
    <>
      <AdminHead title="Edit code" back={{ to: '/admin/discounts' }}>
        {discount && discount.uses > 0 && (
          <p className={styles['orders']}>
            <span className="muted tabular">Revenue {netOf(discount.revenue)}</span>
            <Link to="/ordered/products" search={{ discount: discountId }} className={`link ${styles['lead']}`}>
              {`View ${countOf(discount.uses, 'order')}`}
            </Link>
          </p>
        )}
      </AdminHead>
      {/* the form must start with the shop's current values, not with cached ones */}
      {discount && isFetchedAfterMount && <EditForm key={discount.id} discount={discount} />}
      <Pending
        query={query}
        failure={messages.getDiscount.failure}
        back={{ to: '/admin/discounts', label: 'Discounts' }}
        what="the code"
        className={form['waiting']}
      />
    </>
  );
}

function EditForm({ discount }: { discount: Discount }) {
  const [initial] = useState(discount);
  return <DiscountForm discount={initial} save={useUpdateDiscount(initial)} />;
}
