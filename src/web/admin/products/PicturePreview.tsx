import { useEffect, useRef } from 'react';
import styles from './PhotosField.module.css';

/**
 * The chosen file, or else the current picture. The file is drawn from its bytes, since the content security policy
 * allows only pictures from the shop.
 */
export function PicturePreview({ file, imageUrl }: { file: File | undefined; imageUrl: string | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!file) return undefined;
    let isGone = false;
    void createImageBitmap(file, { resizeWidth: widthPx, resizeQuality: 'medium' }).then(
      (bitmap) => {
        if (!isGone) draw(canvas.current, bitmap);
        bitmap.close();
        return undefined;
      },
      () => undefined, // the server checks whether it is a picture
    );
    return () => {
      isGone = true;
    };
  }, [file]);
  return (
    <div className={styles['preview']}>
      {file ? (
        <>
          <canvas ref={canvas} aria-hidden="true" />
          <span className="sr-only">New photo: {file.name}</span>
        </>
      ) : (
        <img src={imageUrl ?? ''} alt="" width={280} height={280} />
      )}
    </div>
  );
}

const widthPx = 560;

function draw(canvas: HTMLCanvasElement | null, bitmap: ImageBitmap): void {
  if (!canvas) return;
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
}
