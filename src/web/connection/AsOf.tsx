import { useEffect, useState } from 'react';
import { connectionMessages } from '../../shared/connection';
import { useIsOnline } from '../server/reachability';
import { shortTime } from '../ui/localTime';

/** Shown beside saved prices and stock: when this device was last in sync with the server. */
export function AsOf() {
  const asOf = useAsOf();
  if (asOf === undefined) return null;
  return <p className="muted tabular">{connectionMessages.asOfTime(shortTime(asOf))}</p>;
}

/** @returns the time of the last catalog sync, in ms; undefined while online, and where nothing is saved */
export function useAsOf(): number | undefined {
  const isOnline = useIsOnline();
  const [asOf, setAsOf] = useState<number>();
  useEffect(() => {
    if (isOnline) return;
    void import('../device/catalog')
      .then(({ readCatalog }) => readCatalog())
      .then((catalog) => setAsOf(catalog?.asOf))
      .catch(() => undefined); // the chunk wasn't loaded before the connection was lost
  }, [isOnline]);
  return isOnline ? undefined : asOf;
}
