import { useRouter } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { breadcrumbs, PageMeta } from '../ui/PageMeta';

interface Props {
  categoryName: string;
  title: string;
  page: number;
  products: readonly Schema<'Product'>[];
}

/** A filtered list has the address of the unfiltered one; a later page has one of its own. Source: decisions §4 */
export function CategoryMeta({ categoryName, title, page, products }: Props) {
  const router = useRouter();
  const addressOf = (search: { page?: number }) =>
    router.buildLocation({ to: '/products/$category', params: { category: categoryName }, search }).href;
  const names = products.slice(0, 4).map(({ name }) => name);
  return (
    <PageMeta
      title={page > 1 ? `${title}, page ${page}` : title}
      description={[`${title} from our shop`, names.join(', ')].filter(Boolean).join(': ')}
      path={addressOf(page > 1 ? { page } : {})}
      picture={products.find(({ picture }) => picture)?.picture}
      data={[breadcrumbs(router.origin, [{ name: title, path: addressOf({}) }])]}
    />
  );
}
