import { Button } from '@chakra-ui/react/button';
import { Heading } from '@chakra-ui/react/heading';
import { chakra } from '@chakra-ui/react/styled-system';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { toCents } from '../../shared/money';
import { isRefusal } from '../api/apiError';
import { useAddToCart } from '../cart/queries';
import { Badge } from '../ui/Badge';
import { ButtonLink } from '../ui/ButtonLink';
import { EmptyState } from '../ui/EmptyState';
import { FailureNotice } from '../ui/FailureNotice';
import { Icon } from '../ui/Icon';
import { NotFoundPage } from '../ui/NotFoundPage';
import { Picture } from '../ui/Picture';
import { Price } from '../ui/Price';
import { ProductFacts } from './ProductFacts';
import styles from './ProductPage.module.css';
import { productQuery } from './queries';

const route = getRouteApi('/shop/customer/view/product/$id');

export function ProductPage() {
  const { id } = route.useParams();
  const { data: product, error, refetch } = useQuery(productQuery(id));
  if (product?.archived) return <NoLongerSold />;
  if (product) return <Details product={product} />;
  if (isRefusal(error)) return <NotFoundPage />;
  return (
    <div className="wrap" aria-busy={!error}>
      {error ? (
        <>
          <FailureNotice sentence="Failed to fetch product" onRetry={refetch} />
          <Back />
        </>
      ) : (
        <Heading as="h1" textStyle="h1" py="13" tabIndex={-1}>
          Loading…
        </Heading>
      )}
    </div>
  );
}

function Details({ product }: { product: Schema<'Product'> }) {
  const { name, picture, availability, productCategory } = product;
  const { add, isPending } = useAddToCart();
  const addButton = (
    <Button size="lg" loading={isPending} disabled={!availability} onClick={() => add(product)}>
      {availability && <Icon name="basket" />}
      Add to cart
    </Button>
  );
  return (
    <div className="wrap">
      <Back />
      <div className={styles['detail']}>
        <div className={`${styles['picture']} ${availability ? '' : styles['out']}`}>
          {picture && <Picture picture={picture} sizes="(min-width: 1024px) 620px, 100vw" isFirst />}
        </div>
        <div className={styles['facts']}>
          <p className={`cap ${styles['category']}`}>{productCategory.name}</p>
          <Heading as="h1" textStyle="h1" tabIndex={-1}>
            {name}
          </Heading>
          <div className={styles['price']}>
            <Price cents={toCents(product.price)} large muted={!availability} />
            <StockBadge product={product} />
          </div>
          <chakra.p textStyle="body" fontSize="lg" color="fg.muted" maxW="56ch">
            {product.description}
          </chakra.p>
          <div className={styles['buy']}>
            <span className={styles['again']}>
              <Price cents={toCents(product.price)} />
            </span>
            {addButton}
          </div>
          <ProductFacts product={product} />
        </div>
      </div>
    </div>
  );
}

function StockBadge({ product: { availability, quantity } }: { product: Schema<'Product'> }) {
  if (!availability) {
    return (
      <Badge tone="neutral" hollow>
        Out of Stock
      </Badge>
    );
  }
  return (
    <>
      <Badge tone="success">Available</Badge>
      {quantity <= 10 && <Badge tone="warn">{`Only ${quantity} left`}</Badge>}
    </>
  );
}

function Back() {
  return (
    <Link to="/products/$category" params={{ category: 'spices' }} className={styles['back']}>
      <Icon name="left" /> Back
    </Link>
  );
}

function NoLongerSold() {
  return (
    <EmptyState title="This product is no longer sold">
      <ButtonLink to="/products/$category" params={{ category: 'spices' }} size="lg">
        Back
      </ButtonLink>
    </EmptyState>
  );
}
