import { Button } from '../../ui/Button';
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { pictureMessages } from '../../../shared/pictureUploads';
import { PictureInput } from '../../forms/PictureInput';
import { preparePicture } from '../../forms/preparePicture';
import { Icon } from '../../ui/Icon';
import form from '../ui/form.module.css';
import { AdminIcon } from '../ui/AdminIcon';
import styles from './PictureField.module.css';
import { PicturePreview } from './PicturePreview';

/** A new picture, no picture, the current one (undefined), or a new one that cannot be used. */
export type PictureChoice = File | 'removed' | 'refused' | undefined;

interface Props {
  imageUrl: string | null;
  choice: PictureChoice;
  /** Of the upload, 0 to 1; undefined while there is none. */
  progress: number | undefined;
  onChoose: (choice: PictureChoice) => void;
}

/** A picture by drag and drop, paste, file chooser or a phone's camera. It is sent with the form. */
export function PictureField({ imageUrl, choice, progress, onChoose }: Props) {
  const chooser = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [error, setError] = useState<string>();
  const errorId = useId();
  const latest = useRef<File>(undefined);
  const take = (file: File | undefined) => {
    latest.current = file ?? latest.current;
    if (!file) return;
    setError(undefined);
    onChoose(file);
    void check(file);
  };
  const check = async (file: File) => {
    const prepared = await preparePicture(file);
    if (latest.current !== file) return;
    if ('wrong' in prepared) setError(`${prepared.wrong}. ${pictureMessages.refused}`);
    onChoose('wrong' in prepared ? 'refused' : prepared.picture);
  };
  usePastedPicture(take);
  const hasPicture = choice instanceof File || (choice !== 'removed' && imageUrl !== null);
  const remove = () => {
    setError(undefined);
    opener.current?.focus(); // the pressed button may be removed
    latest.current = undefined;
    onChoose(choice === undefined ? 'removed' : undefined);
  };
  return (
    <section className={`${form['box']} ${form['beside']}`} aria-labelledby="picture-heading">
      <h2 id="picture-heading" className={form['heading']}>
        Photo
      </h2>
      <DropPlace onDrop={take}>
        {hasPicture && <PicturePreview file={choice instanceof File ? choice : undefined} imageUrl={imageUrl} />}
        <p>
          <b>Drop a photo here</b>
          <span>or choose one from this device. Optional.</span>
        </p>
        <div className={styles['buttons']}>
          <Button
            ref={opener}
            variant="outline"
            aria-describedby={error && errorId}
            onClick={() => chooser.current?.click()}
          >
            <AdminIcon name="upload" />
            Choose photo
          </Button>
          <Button className={styles['camera']} variant="outline" onClick={() => camera.current?.click()}>
            Take a photo
          </Button>
          {(hasPicture || choice === 'refused') && (
            <Button variant="ghost" colorPalette="error" color="error.fg" onClick={remove}>
              Remove
            </Button>
          )}
        </div>
        <PictureInput ref={chooser} label="Photo file" onChoose={take} />
        <PictureInput ref={camera} label="Photo" capture="environment" onChoose={take} />
        {progress !== undefined && <progress value={progress} aria-label="Uploading the photo" />}
      </DropPlace>
      {error && <Mistake id={errorId} sentence={error} />}
    </section>
  );
}

const Mistake = ({ id, sentence }: { id: string; sentence: string }) => (
  <p id={id} role="alert" className={styles['error']}>
    <Icon name="alert" size={16} />
    {sentence}
  </p>
);

function DropPlace({ onDrop, children }: { onDrop: (file: File | undefined) => void; children: ReactNode }) {
  const [isDraggedOver, setDraggedOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDraggedOver(false);
    onDrop(event.dataTransfer.files[0]);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button does the same
    <fieldset
      aria-labelledby="picture-heading"
      className={`${styles['drop']} ${isDraggedOver ? styles['over'] : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setDraggedOver(true);
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={drop}
    >
      {children}
    </fieldset>
  );
}

function usePastedPicture(take: (file: File | undefined) => void): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const onPaste = ({ clipboardData }: ClipboardEvent) => {
      const [file] = clipboardData?.files ?? [];
      if (file) latest.current(file);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
