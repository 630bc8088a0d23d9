import { useRouter } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { breadcrumbs, PageMeta, sharedFile } from '../ui/PageMeta';
import { bannerTitle } from './CategoryBanner';

const maxDescription = 300;

export function ProductMeta({ product }: { product: Schema<'Product'> }) {
  const router = useRouter();
  const { origin } = router;
  const { id, name, description, picture, productCategory, archived } = product;
  const path = router.buildLocation({ to: '/customer/view/product/$id', params: { id } }).href;
  const category = router.buildLocation({ to: '/products/$category', params: { category: productCategory.name } }).href;
  const categoryTitle = bannerTitle(productCategory.name, productCategory.title);
  return (
    <PageMeta
      title={name}
      description={description.slice(0, maxDescription) || `${name}, from ${categoryTitle}`}
      path={path}
      picture={picture}
      type="product"
      isHidden={archived}
      data={
        archived
          ? []
          : [
              {
                '@type': 'Product',
                name,
                description,
                sku: id,
                category: categoryTitle,
                ...(picture && { image: [origin + sharedFile(picture)] }),
                offers: {
                  '@type': 'Offer',
                  url: origin + path,
                  price: product.price.toFixed(2),
                  priceCurrency: 'USD',
                  availability: `https://schema.org/${product.availability ? 'InStock' : 'OutOfStock'}`,
                },
              },
              breadcrumbs(origin, [
                { name: categoryTitle, path: category },
                { name, path },
              ]),
            ]
      }
    />
  );
}
