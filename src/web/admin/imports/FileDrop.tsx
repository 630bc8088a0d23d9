import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { importPageMessages as messages } from '../../../shared/importsStaff';
import { OnlineButton } from '../../connection/OnlineButton';
import { AdminIcon } from '../ui/AdminIcon';
import styles from './FileDrop.module.css';

interface Props {
  /** The title of the box's text. */
  title: string;
  /** Of the button. */
  label: string;
  isBusy: boolean;
  onChoose: (file: File) => void;
  /** Below the button: progress or an error. */
  children?: ReactNode;
}

/** A place for one CSV file: drop it there, or choose it with the button. */
export function FileDrop({ title, label, isBusy, onChoose, children }: Props) {
  const chooser = useRef<HTMLInputElement>(null);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDraggedOver(false);
    const [file] = event.dataTransfer.files;
    if (file && !isBusy) onChoose(file);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button does the same
    <fieldset
      aria-label={title}
      className={`${styles['drop']} ${isDraggedOver ? styles['over'] : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setDraggedOver(true);
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={drop}
    >
      <AdminIcon name="upload" size={24} />
      <p>
        <b>{title}</b>
        <br />
        {messages.limits}
      </p>
      <OnlineButton what="import products" isBusy={isBusy} onClick={() => chooser.current?.click()}>
        {label}
      </OnlineButton>
      <input
        ref={chooser}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        hidden
        aria-label="CSV file"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onChoose(file);
          currentTarget.value = ''; // the same file can be chosen again after a correction
        }}
      />
      {children}
    </fieldset>
  );
}
