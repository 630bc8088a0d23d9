import { type DragEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { photoOf } from '../../../shared/photos';
import { photoLimits, pictureMessages } from '../../../shared/pictureUploads';
import { PictureInput } from '../../forms/PictureInput';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import fields from '../../ui/FormField.module.css';
import form from '../ui/form.module.css';
import { AdminIcon } from '../ui/AdminIcon';
import styles from './PhotosField.module.css';
import { PicturePreview } from './PicturePreview';
import type { PhotoEntry, PhotosForm, SavedPhoto } from './usePhotos';
import { useTileMoves } from './useTileMoves';

/**
 * The photos of a product, by drag and drop, paste, file chooser, or a phone's camera. They are sent with the form.
 * Rule: docs/rules/catalog.md, Photos
 */
export function PhotosField({ photos }: { photos: PhotosForm }) {
  const { shown, saved, add, change, remove, move } = photos;
  const { tiles, moved, gripOf } = useTileMoves(shown, move);
  const opener = useRef<HTMLButtonElement>(null);
  usePastedPictures(add);
  const place = shown.findIndex(({ key }) => key === moved);
  return (
    <section className={`${form['box']} ${form['beside']}`} aria-labelledby="photos-heading">
      <div className={styles['head']}>
        <h2 id="photos-heading" className={form['heading']}>
          Photos
        </h2>
        <span className="muted">
          {shown.length} of {photoLimits.photos}
        </span>
      </div>
      <output className="sr-only">{place >= 0 && photoOf(place + 1, shown.length)}</output>
      {shown.length > 0 && (
        <ol ref={tiles} className={styles['tiles']}>
          {shown.map((entry, index) => (
            <Tile
              key={entry.key}
              entry={entry}
              saved={saved.find(({ id }) => id === entry.id)}
              number={index + 1}
              isMoving={entry.key === moved}
              onDescribe={(alt) => change(entry.key, { alt })}
            >
              <button
                type="button"
                className={styles['grip']}
                aria-label={`Move photo ${index + 1}`}
                {...gripOf(entry.key)}
              >
                <AdminIcon name="grip" />
              </button>
              <IconButton
                icon="trash"
                label={`Remove photo ${index + 1}`}
                onClick={() => {
                  opener.current?.focus(); // the pressed button is removed
                  remove(entry.key);
                }}
              />
            </Tile>
          ))}
        </ol>
      )}
      <AddPhotos opener={opener} isFull={shown.length >= photoLimits.photos} onAdd={add} />
      <p className="muted">{pictureMessages.arrange}</p>
    </section>
  );
}

interface TileProps {
  entry: PhotoEntry;
  saved: SavedPhoto | undefined;
  number: number;
  isMoving: boolean;
  onDescribe: (alt: string) => void;
  /** The buttons on the photo. */
  children: ReactNode;
}

function Tile({ entry, saved, number, isMoving, onDescribe, children }: TileProps) {
  const { file, alt, error, progress } = entry;
  const errorId = useId();
  const wrong = error ?? (saved?.state === 'failed' ? saved.message : undefined);
  return (
    <li className={`${styles['tile']} ${isMoving ? styles['moving'] : ''}`}>
      <div className={styles['photo']}>
        {(file || saved?.imageUrl) && <PicturePreview file={file} imageUrl={saved?.imageUrl ?? null} />}
        <div className={styles['buttons']}>{children}</div>
        {number === 1 && (
          <span className={styles['main']}>
            <Badge tone="info">Main photo</Badge>
          </span>
        )}
      </div>
      <label>
        <span className="sr-only">Description of photo {number}</span>
        <input
          className={fields['control']}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? errorId : undefined}
          placeholder="Describe this photo"
          maxLength={photoLimits.alt}
          value={alt}
          onChange={({ currentTarget }) => onDescribe(currentTarget.value)}
        />
      </label>
      {progress !== undefined && <progress value={progress} aria-label={`Uploading photo ${number}`} />}
      {saved?.state === 'processing' && <p className="muted">{saved.message}</p>}
      {wrong && (
        <p id={errorId} role="alert" className={styles['error']}>
          <Icon name="alert" size={16} />
          {wrong}
        </p>
      )}
    </li>
  );
}

interface AddProps {
  opener: RefObject<HTMLButtonElement | null>;
  isFull: boolean;
  onAdd: (files: readonly File[]) => void;
}

function AddPhotos({ opener, isFull, onAdd }: AddProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDraggedOver(false);
    onAdd([...event.dataTransfer.files]);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button does the same
    <fieldset
      aria-labelledby="photos-heading"
      className={`${styles['drop']} ${isDraggedOver ? styles['over'] : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setDraggedOver(true);
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={drop}
    >
      <p>{isFull ? pictureMessages.tooMany : pictureMessages.drop}</p>
      <div className={styles['ways']}>
        <Button
          ref={opener}
          variant="outline"
          aria-disabled={isFull || undefined}
          onClick={() => !isFull && chooser.current?.click()}
        >
          <AdminIcon name="upload" />
          Add photos
        </Button>
        {!isFull && (
          <Button className={styles['camera']} variant="outline" onClick={() => camera.current?.click()}>
            Take a photo
          </Button>
        )}
      </div>
      <PictureInput ref={chooser} label="Photo file" isMultiple onChoose={onAdd} />
      <PictureInput ref={camera} label="Photo" capture="environment" onChoose={onAdd} />
    </fieldset>
  );
}

function usePastedPictures(add: (files: readonly File[]) => void): void {
  const latest = useRef(add);
  useEffect(() => {
    latest.current = add;
  });
  useEffect(() => {
    const onPaste = ({ clipboardData }: ClipboardEvent) => latest.current([...(clipboardData?.files ?? [])]);
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
