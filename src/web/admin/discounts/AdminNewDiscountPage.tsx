import { AdminHead } from '../ui/AdminHead';
import { DiscountForm } from './DiscountForm';
import { useCreateDiscount } from './queries';

export function AdminNewDiscountPage() {
  return (
    <>
      <AdminHead title="Add code" back={{ to: '/admin/discounts' }} />
      <DiscountForm save={useCreateDiscount()} />
    </>
  );
}
