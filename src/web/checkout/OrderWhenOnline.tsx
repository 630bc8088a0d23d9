import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { type Intent, intentMessages } from '../../shared/intent';
import { sizeFacts } from '../../shared/sizes';
import { ActionButton } from '../ui/ActionButton';
import { LaterIcon } from '../ui/LaterIcon';
import { toast } from '../ui/toast';
import { shortTime } from '../ui/localTime';
import { saveIntent } from '../waiting/intent';
import { Sum } from './PlaceOrder';
import place from '../cart/OrderBar.module.css';
import type { Placing } from './usePlacing';

interface Props {
  userId: string;
  placing: Placing;
  /** When the server last returned the cart, in ms; 0: never. */
  asOf: number;
}

/** Replaces Place Order while offline: the order waits on this device. */
export function OrderWhenOnline({ userId, placing, asOf }: Props) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { address, cart, choice, total } = placing;
  const { quote } = total;
  const isOff = !address || !cart || !quote || quote.deliveryMethods?.length === 0;
  const save = async () => {
    if (!address || !cart || !quote) return;
    const now = Date.now();
    const { deliveryMethodId: methodId } = quote;
    const shown = shownOf(cart, quote);
    const wish = { ...(methodId !== null && { methodId }), ...(total.note && { note: total.note }) };
    try {
      await saveIntent(cache, {
        id: crypto.randomUUID(),
        userId,
        madeAt: now,
        asOf: asOf || now,
        ...(choice?.savedId !== undefined && { savedId: choice.savedId }),
        address,
        wish,
        shown,
      });
    } catch {
      toast.error(intentMessages.couldNotSave);
      return;
    }
    await navigate({ to: '/cart' });
  };
  const totalLabel = asOf > 0 ? intentMessages.totalAsOf(shortTime(asOf)) : 'Total';
  return (
    <>
      <Sum placing={placing} totalLabel={totalLabel} />
      <ActionButton size="lg" className={place['place'] ?? ''} isOff={isOff} onClick={() => void save()}>
        <LaterIcon name="clock" />
        {intentMessages.action}
      </ActionButton>
    </>
  );
}

function shownOf(
  { cartItems }: Schema<'Cart'>,
  { deliveryMethods, deliveryMethodId, total }: Schema<'Quote'>,
): Intent['shown'] {
  const method = deliveryMethods?.find(({ id }) => id === deliveryMethodId);
  return {
    lines: cartItems.map(({ productId, productName, imageUrl, quantity, currentPrice, ...line }) => ({
      ...sizeFacts(line),
      productId,
      productName,
      imageUrl,
      quantity,
      price: currentPrice,
    })),
    delivery: method ? { name: method.name, price: method.price } : null,
    total,
  };
}
