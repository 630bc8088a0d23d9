import { useId } from 'react';
import { importSources } from '../../../shared/imports';
import { importPageMessages as messages, runLabel } from '../../../shared/importsStaff';
import { OnlineButton } from '../../connection/OnlineButton';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import notice from '../ui/notice.module.css';
import { ErrorsButton } from './ErrorsButton';
import styles from './imports.module.css';
import { type Import, useRunImport } from './queries';
import { RowsBox } from './RowsBox';
import { Steps } from './Steps';

/** The third step: what the import does with each row. Nothing is written before the button below is pressed. */
export function ReviewStep({ data }: { data: Import }) {
  const { id, rows, newCategories, source, fileName } = data;
  const { mutate: run, isPending } = useRunImport();
  const whyId = useId();
  const right = rows.new + rows.changed;
  return (
    <>
      <Steps now="Review" id={id} />
      <RowsBox data={data} title="Preview" isStep>
        <b>{importSources[source]}.</b> {fileName}
      </RowsBox>
      {newCategories.length > 0 && (
        <p className={styles['info']}>
          <Icon name="plus" />
          {messages.newCategories(newCategories)}
        </p>
      )}
      {(rows.wrong > 0 || right === 0) && (
        <div id={whyId} className={right === 0 && rows.wrong === 0 ? styles['info'] : notice['notice']}>
          <Icon name={rows.wrong > 0 ? 'alert' : 'check'} />
          <p>{whyNot(rows.wrong, right)}</p>
        </div>
      )}
      <div className={styles['actions']}>
        <OnlineButton
          what="import products"
          isBusy={isPending}
          isOff={right === 0}
          aria-describedby={rows.wrong > 0 || right === 0 ? whyId : undefined}
          onClick={() => run({ id, onlyRight: rows.wrong > 0 })}
        >
          {runLabel(rows)}
        </OnlineButton>
        {rows.wrong > 0 && <ErrorsButton data={data} />}
        <ButtonLink to="." search={{}} variant="ghost">
          Choose another file
        </ButtonLink>
      </div>
    </>
  );
}

function whyNot(wrong: number, right: number): string {
  if (right > 0) return messages.wrongStay(wrong);
  return wrong > 0 ? messages.allWrong : messages.nothingToDo;
}
