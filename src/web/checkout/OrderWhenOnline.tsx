import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Intent, intentSays } from '../../shared/intent';
import { subtotalCents } from '../../shared/cart';
import { fromCents } from '../../shared/money';
import { cartQuery } from '../cart/queries';
import { ActionButton } from '../ui/ActionButton';
import { LaterIcon } from '../ui/LaterIcon';
import { toast } from '../ui/toast';
import type { Placing } from './usePlacing';
import { keepIntent } from '../waiting/intent';

/** In the place of Place Order while there is no connection: the order waits on this device. */
export function OrderWhenOnline({
  userId,
  placing,
  className,
}: {
  userId: string;
  placing: Placing;
  className: string;
}) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { address, total, cart } = placing;
  const isRefused = total.quote?.deliveryMethods?.length === 0;
  const keep = async () => {
    if (!cart || !address) return;
    const asOf = cache.getQueryState(cartQuery(userId).queryKey)?.dataUpdatedAt ?? 0;
    try {
      await keepIntent(cache, { ...intentOf(userId, placing, cart.cartItems), address, asOf: asOf || Date.now() });
    } catch {
      toast.error(intentSays.couldNotKeep);
      return;
    }
    await navigate({ to: '/cart' });
  };
  return (
    <ActionButton size="lg" className={className} isOff={!address || isRefused} onClick={() => void keep()}>
      <LaterIcon name="clock" />
      {intentSays.action}
    </ActionButton>
  );
}

function intentOf(
  userId: string,
  { total }: Placing,
  items: NonNullable<Placing['cart']>['cartItems'],
): Omit<Intent, 'address' | 'asOf'> {
  const { quote } = total;
  const method = quote?.deliveryMethods?.find(({ id }) => id === quote.deliveryMethodId);
  return {
    id: crypto.randomUUID(),
    userId,
    madeAt: Date.now(),
    methodId: quote?.deliveryMethodId ?? null,
    shown: {
      lines: items.map(({ productId, productName, imageUrl, quantity, currentPrice }) => ({
        productId,
        productName,
        imageUrl,
        quantity,
        price: currentPrice,
      })),
      delivery: method ? { name: method.name, price: method.price } : null,
      total: total.isSummed && quote ? quote.total : fromCents(subtotalCents(items)),
    },
  };
}
