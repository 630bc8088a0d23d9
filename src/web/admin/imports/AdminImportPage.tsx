import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { importCallMessages as calls } from '../../../shared/imports';
import { focusHeading } from '../../ui/focusHeading';
import { staffKey } from '../staffCalls';
import { AdminHead, Pending } from '../ui/AdminHead';
import form from '../ui/form.module.css';
import { MatchStep } from './MatchStep';
import { type Import, importQuery, isWorking, useStartImport } from './queries';
import { ResultStep } from './ResultStep';
import { ReviewStep } from './ReviewStep';
import { SampleButton } from './SampleButton';
import { stepHeadingId } from './Steps';
import { UploadStep } from './UploadStep';

const products = { to: '/products', label: 'Products' };

/**
 * Imports products from a file, step by step. The URL names the import, so that it can be left and opened again.
 * Rule: docs/rules/catalog.md, The import page
 */
export function AdminImportPage() {
  const { id, isMatching } = useView();
  const [sent, setSent] = useState<{ id: string; file: File }>();
  const navigate = useNavigate();
  const upload = useStartImport(({ id: started }, { file }) => {
    setSent({ id: started, file });
    void navigate({ to: '.', search: { import: started } });
  });
  const query = useQuery({ ...importQuery(id), enabled: id !== '' });
  const { data } = query;
  const step = id === '' ? 'upload' : data && stepOf(data, isMatching);
  useFocusOnStep(id, step);
  useFreshData(data);
  const file = sent?.id === id ? sent.file : undefined; // another import has another file
  return (
    <>
      <AdminHead title="Import products" back={products}>
        {step === 'upload' && <SampleButton />}
      </AdminHead>
      {step === 'upload' && <UploadStep upload={upload} onChoose={(chosen) => upload.start({ file: chosen })} />}
      {step === undefined && (
        <Pending
          query={query}
          failure={calls.getImport.failure}
          back={products}
          what="the import"
          className={form['waiting']}
        />
      )}
      {data && step === 'match' && <MatchStep key={id} data={data} file={file} upload={upload} onSend={upload.start} />}
      {data && step === 'review' && <ReviewStep data={data} />}
      {data && step === 'result' && <ResultStep data={data} isOutOfReach={query.error !== null} />}
    </>
  );
}

function useView(): { id: string; isMatching: boolean } {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const { import: id } = raw;
  return { id: typeof id === 'string' ? id : '', isMatching: raw['step'] === 'columns' };
}

type StepName = 'upload' | 'match' | 'review' | 'result';

function stepOf({ state }: Import, isMatching: boolean): StepName {
  if (state === 'mapping' || (state === 'previewed' && isMatching)) return 'match';
  return state === 'previewed' ? 'review' : 'result';
}

/** Each later step starts at its heading. The first starts at the page's title, as every page does. */
function useFocusOnStep(id: string, step: StepName | undefined): void {
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (!step) return;
    const now = `${id} ${step}`;
    if (before.current !== undefined && before.current !== now) {
      window.scrollTo(0, 0);
      focusHeading(step === 'upload' ? undefined : `#${stepHeadingId}`);
    }
    before.current = now;
  }, [id, step]);
}

/** Once a job has ended, what is known of products and categories is no longer true. */
function useFreshData(data: Import | undefined): void {
  const cache = useQueryClient();
  const wasWorking = useRef(false);
  useEffect(() => {
    if (!data) return;
    if (wasWorking.current && !isWorking(data)) void cache.invalidateQueries({ queryKey: staffKey() });
    wasWorking.current = isWorking(data);
  }, [cache, data]);
}
