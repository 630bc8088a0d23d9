import { type MouseEvent, useEffect, useRef } from 'react';
import type { PadKey } from '../../../shared/listPages';
import { LaterIcon } from '../../ui/LaterIcon';
import styles from './NumberPad.module.css';
import type { Counting } from './useCounting';

/**
 * Pressing a button with a pointer leaves the focus where it was, so Enter still means Next instead of pressing it
 * again.
 */
const keepFocus = (event: MouseEvent) => event.preventDefault();

interface Props {
  counting: Counting;
  onPress: () => void;
}

/** The number between minus and plus. */
export function Steps({ counting, onPress }: Props) {
  const step = (by: 1 | -1) => () => {
    onPress();
    counting.step(by);
  };
  return (
    <fieldset className={styles['steps']} aria-label="On hand">
      <Step label="Remove one" icon="minus" onStep={step(-1)} />
      {/* announced once, by the page's own live region */}
      <output aria-live="off" className={`${styles['number']} ${counting.shown.length > 4 ? styles['long'] : ''}`}>
        {counting.shown}
      </output>
      <Step label="Add one" icon="plus" onStep={step(1)} />
    </fieldset>
  );
}

const [holdMs, repeatMs] = [500, 120];

/** Counts immediately when pressed, and repeatedly while held. */
function Step({ label, icon, onStep }: { label: string; icon: 'minus' | 'plus'; onStep: () => void }) {
  const latest = useRef(onStep);
  const stop = useRef<() => void>(undefined);
  const wasPointed = useRef(false);
  useEffect(() => {
    latest.current = onStep;
  });
  useEffect(() => () => stop.current?.(), []);
  const start = () => {
    stop.current?.();
    wasPointed.current = true;
    latest.current();
    let timer = setTimeout(function again() {
      latest.current();
      timer = setTimeout(again, repeatMs);
    }, holdMs);
    stop.current = () => clearTimeout(timer);
  };
  const end = () => stop.current?.();
  return (
    <button
      type="button"
      aria-label={label}
      onMouseDown={keepFocus}
      onPointerDown={({ button }) => button === 0 && start()}
      onPointerUp={end}
      onPointerLeave={end}
      onPointerCancel={end}
      onContextMenu={(event) => event.preventDefault()}
      onClick={({ detail }) => {
        // from the keyboard (a click without detail) or a screen reader; a pointer may have been released elsewhere
        if (detail === 0 || !wasPointed.current) onStep();
        wasPointed.current = false;
      }}
    >
      <LaterIcon name={icon} size={32} />
    </button>
  );
}

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0', 'erase'] as const satisfies readonly PadKey[];
const names: Partial<Record<PadKey, string>> = { '.': 'Decimal point', erase: 'Delete the last digit' };

export function NumberPad({ counting, onPress }: Props) {
  return (
    <fieldset className={styles['pad']} aria-label="Number pad">
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          aria-label={names[key]}
          onMouseDown={keepFocus}
          onClick={() => {
            onPress();
            counting.press(key);
          }}
        >
          {key === 'erase' ? <LaterIcon name="erase" size={28} /> : key}
        </button>
      ))}
    </fieldset>
  );
}
