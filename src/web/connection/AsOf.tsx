import { useEffect, useState } from 'react';
import { connectionMessages } from '../../shared/connection';
import { useIsOnline } from '../server/reachability';
import { shortTime } from '../ui/localTime';

/** Beside prices and stock that are read from this device: when it was last in step with the server. */
export function AsOf() {
  const asOf = useAsOf();
  if (asOf === undefined) return null;
  return <p className="muted tabular">{connectionMessages.asOfTime(shortTime(asOf))}</p>;
}

/** @returns when the server last said what it sells, in ms; undefined while it can be asked, and where nothing is saved */
export function useAsOf(): number | undefined {
  const isOnline = useIsOnline();
  const [asOf, setAsOf] = useState<number>();
  useEffect(() => {
    if (isOnline) return;
    void import('../device/catalog')
      .then(({ readCatalog }) => readCatalog())
      .then((catalog) => setAsOf(catalog?.asOf))
      .catch(() => undefined); // the chunk could not be loaded before the connection went
  }, [isOnline]);
  return isOnline ? undefined : asOf;
}
