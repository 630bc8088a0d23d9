import { type KeyboardEvent, useRef, useState } from 'react';
import type { Schema } from '../../../shared/contract';
import { photoOf } from '../../../shared/photos';
import { Picture } from '../../ui/Picture';
import styles from './PhotoGallery.module.css';

interface Props {
  photos: readonly Schema<'Photo'>[];
  sizes: string;
  /** Of the frame, which has the shape and place of a single picture. */
  className: string;
}

/**
 * A product's photos, side by side in a frame that scrolls from one to the next: by swipe, by arrow keys, and by
 * thumbnails on wide screens. Each photo fills the frame, so nothing moves when it loads.
 * Rule: docs/rules/catalog.md, Product page
 */
export function PhotoGallery({ photos, sizes, className }: Props) {
  const { strip, current, said, show, onScroll, onTouch } = useStrip(photos.length);
  const buttons = useRef<HTMLDivElement>(null);
  const count = photos.length;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: count - 1 }[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(next);
    if (buttons.current?.contains(event.target as Node)) focusOn(buttons.current.children[next]);
  };
  return (
    <div className={styles['gallery']}>
      <div className={`${className} ${styles['frame']}`}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys scroll it */}
        <section
          ref={strip}
          className={styles['strip']}
          aria-label={photoOf(current + 1, count)}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
          tabIndex={0}
          onKeyDown={onKeyDown}
          onScroll={onScroll}
          onPointerDown={onTouch}
          onWheel={onTouch}
        >
          {photos.map((photo, index) => (
            <Picture key={photo.id} picture={photo} sizes={sizes} isFirst={index === 0} />
          ))}
        </section>
        <div className={styles['dots']} aria-hidden="true">
          {photos.map(({ id }, index) => (
            <span key={id} className={index === current ? styles['current'] : undefined} />
          ))}
        </div>
      </div>
      <div ref={buttons} className={styles['thumbnails']}>
        {photos.map((photo, index) => (
          <button
            key={photo.id}
            type="button"
            aria-label={photoOf(index + 1, count)}
            aria-current={index === current ? 'true' : undefined}
            onClick={() => show(index)}
            onKeyDown={onKeyDown}
          >
            <Picture picture={photo} sizes="96px" isDecoration />
          </button>
        ))}
      </div>
      <output className="sr-only">{said && `${photoOf(current + 1, count)}: ${photos[current]?.alt}`}</output>
    </div>
  );
}

const focusOn = (element: Element | undefined) => element instanceof HTMLElement && element.focus();

/** The strip's scroll position as the number of the shown photo. */
function useStrip(count: number) {
  const strip = useRef<HTMLElement>(null);
  /** The photo that the strip is scrolling to; undefined while the visitor scrolls it. */
  const target = useRef<number>(undefined);
  const [index, setIndex] = useState(0);
  const [said, setSaid] = useState(false);
  const show = (next: number) => {
    const { current } = strip;
    if (!current || next < 0 || next >= count) return;
    target.current = next;
    setIndex(next);
    setSaid(true);
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    current.scrollTo({ left: next * current.clientWidth, behavior: isStill ? 'instant' : 'smooth' });
  };
  const onScroll = () => {
    const { scrollLeft = 0, clientWidth = 0 } = strip.current ?? {};
    if (clientWidth === 0) return;
    const place = scrollLeft / clientWidth;
    if (target.current !== undefined && Math.abs(place - target.current) > nearlyThere) return;
    target.current = undefined;
    setIndex(Math.min(count - 1, Math.round(place)));
  };
  const onTouch = () => {
    target.current = undefined;
  };
  return { strip, current: Math.min(index, count - 1), said, show, onScroll, onTouch };
}

/** Of the frame's width: scroll positions are rounded. */
const nearlyThere = 0.02;
