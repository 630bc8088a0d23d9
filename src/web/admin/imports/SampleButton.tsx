import { Button } from '../../ui/Button';
import { AdminIcon } from '../ui/AdminIcon';
import { saveCsv } from '../table/saveCsv';

/** Saves a small file that can be imported as it is. */
export function SampleButton() {
  const save = async () =>
    saveCsv((await import('../../../shared/sampleProducts')).sampleProducts(), 'products-sample.csv');
  return (
    <Button variant="outline" onClick={() => void save()}>
      <AdminIcon name="download" />
      Download sample file
    </Button>
  );
}
