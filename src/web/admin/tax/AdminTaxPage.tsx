import { useQuery } from '@tanstack/react-query';
import { taxMessages as messages } from '../../../shared/tax';
import { ReadFailure } from '../../connection/ReadFailure';
import { Waiting } from '../../ui/Waiting';
import { SettingsFrame } from '../settings/SettingsFrame';
import { toDashboard } from '../ui/AdminHead';
import { CollectedBox } from './CollectedBox';
import { NoTax } from './NoTax';
import { ratesQuery } from './queries';
import { RatesBox } from './RatesBox';
import box from '../ui/box.module.css';
import styles from './tax.module.css';

/** The rates at the left, the collected tax at the right. Rule: docs/rules/selling.md, Sales tax */
export function AdminTaxPage() {
  const query = useQuery(ratesQuery());
  const { data: rates } = query;
  return (
    <SettingsFrame to="/admin/tax">
      {rates?.length === 0 && <NoTax />}
      <div className={styles['columns']}>
        {rates && <RatesBox rates={rates} />}
        {!rates && (
          <section className={box['box']} aria-label="Tax rates by state">
            {query.error !== null && (
              <div className={box['state']}>
                <ReadFailure read={query} failure={messages.listTaxRates.failure} back={toDashboard} />
              </div>
            )}
            {query.error === null && (
              <Waiting what="tax rates">
                {Array.from({ length: 10 }, (_, row) => (
                  <span key={row} className={`skeleton ${styles['skeleton']}`} />
                ))}
              </Waiting>
            )}
          </section>
        )}
        <CollectedBox />
      </div>
    </SettingsFrame>
  );
}
