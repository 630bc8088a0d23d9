import { Suspense, useState } from 'react';
import { countOf, formatCount } from '../../../shared/counts';
import { countsInWords, importPageMessages as messages } from '../../../shared/importsStaff';
import { OnlineButton } from '../../connection/OnlineButton';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import { lazyPart } from '../../ui/lazyPart';
import { AdminIcon } from '../ui/AdminIcon';
import { timeOf } from '../ui/dates';
import form from '../ui/form.module.css';
import styles from './imports.module.css';
import { ErrorsButton } from './ErrorsButton';
import { KeptBox } from './KeptBox';
import { Meter } from '../ui/Meter';
import { type Import, type ImportPhotos, isWorking, useUndoImport } from './queries';
import { PhotosBox } from './PhotosBox';
import { RowsBox } from './RowsBox';
import { stepHeadingId, Steps } from './Steps';

const ConfirmDialog = lazyPart(() => import('../../ui/ConfirmDialog'), 'ConfirmDialog');

/** The last step: the import's progress, then what came of it, and its Undo. */
export function ResultStep({ data, isOutOfReach }: { data: Import; isOutOfReach: boolean }) {
  const isBusy = isWorking(data);
  const { title, text } = wordsOf(data);
  return (
    <>
      <Steps now="Done" isOver={!isBusy} />
      <section className={`${form['box']} ${styles['result']}`} aria-labelledby={stepHeadingId}>
        <Disc data={data} />
        <div className={styles['summary']}>
          <h2 id={stepHeadingId} tabIndex={-1} className={styles['heading']}>
            {title}
          </h2>
          <p className="muted">{text}</p>
          {isBusy && <Progress data={data} isOutOfReach={isOutOfReach} />}
          {data.state === 'done' && data.photos && <Photos photos={data.photos} />}
          {!isBusy && <Actions data={data} />}
        </div>
      </section>
      <output className="sr-only">{spoken(data)}</output>
      {data.photos && data.photos.problems.length > 0 && <PhotosBox photos={data.photos} />}
      {data.kept.length > 0 && <KeptBox kept={data.kept} />}
      {!isBusy && <RowsBox data={data} title="Rows" />}
    </>
  );
}

function wordsOf(data: Import): { title: string; text: string } {
  const { state, rows, createdBy, createdAt, fileName } = data;
  const imported = countOf(rows.new + rows.changed, 'row');
  const facts = [fileName, createdBy && `by ${createdBy}`, timeOf(createdAt)].filter(Boolean).join(', ');
  if (state === 'running') return { title: `Importing ${imported}`, text: facts };
  if (state === 'undoing') return { title: 'Undoing the import', text: facts };
  if (state === 'undone') return { title: 'Import undone', text: `${messages.undone} ${facts}.` };
  if (state === 'failed') return { title: 'Nothing was imported', text: `${messages.failed} ${facts}.` };
  return { title: `${imported} imported`, text: `${countsInWords(rows)}. ${facts}.` };
}

function Disc({ data: { state } }: { data: Import }) {
  const tone = state === 'done' ? 'good' : state === 'failed' ? 'bad' : 'plain';
  return (
    <span className={`${styles['disc']} ${styles[tone]}`} aria-hidden="true">
      {state === 'done' ? <Icon name="check" size={24} /> : null}
      {state === 'failed' && <Icon name="alert" size={24} />}
      {state === 'running' && <AdminIcon name="upload" size={24} />}
      {(state === 'undoing' || state === 'undone') && <AdminIcon name="undo" size={24} />}
    </span>
  );
}

function Progress({ data: { state, progress }, isOutOfReach }: { data: Import; isOutOfReach: boolean }) {
  return (
    <>
      <Meter label={state === 'running' ? messages.importing : messages.undoing} {...counted(progress)} />
      <p className="muted">{isOutOfReach ? messages.outOfReach : messages.mayLeave}</p>
    </>
  );
}

/** The photos are loaded once the rows are imported. */
function Photos({ photos: { waiting, done, failed } }: { photos: ImportPhotos }) {
  if (waiting === 0) return null;
  return (
    <>
      <Meter label={messages.photos} {...counted({ done: done + failed, of: waiting + done + failed })} />
      <p className="muted">{messages.photosGoOn}</p>
    </>
  );
}

const counted = ({ done, of }: Import['progress']) => ({
  done,
  of,
  text: `${formatCount(done)} of ${formatCount(of)}`,
});

function Actions({ data }: { data: Import }) {
  const { id, undoableUntil, rows } = data;
  const [isAsking, setAsking] = useState(false);
  const { mutate: undo, isPending } = useUndoImport();
  return (
    <>
      <div className={styles['actions']}>
        <ButtonLink to="/products">View products</ButtonLink>
        {undoableUntil !== null && (
          <OnlineButton what="undo the import" variant="outline" isBusy={isPending} onClick={() => setAsking(true)}>
            <AdminIcon name="undo" />
            Undo import
          </OnlineButton>
        )}
        {rows.wrong > 0 && <ErrorsButton data={data} />}
        <ButtonLink to="." search={{}} variant="ghost">
          Import another file
        </ButtonLink>
      </div>
      {undoableUntil !== null && <p className="muted">{messages.undoBy(timeOf(undoableUntil))}</p>}
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            title={messages.undoAsks}
            text={messages.undoText}
            action="Undo import"
            onConfirm={() => undo(id)}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** For screen readers: a quarter at a time, so that the progress does not drown everything else. */
function spoken(data: Import): string {
  const { state, progress } = data;
  if (!isWorking(data)) return wordsOf(data).title;
  const quarters = Math.floor((4 * progress.done) / Math.max(1, progress.of));
  return `${state === 'running' ? messages.importing : messages.undoing}: ${quarters * 25}%`;
}
