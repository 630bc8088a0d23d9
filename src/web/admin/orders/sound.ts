import { useSyncExternalStore } from 'react';

/** The sound of a new order, and whether this device makes it. */
const key = 'order-sound';
const listeners = new Set<() => void>();

export const sound = {
  isOn: () => localStorage.getItem(key) !== 'off',
  switch(isOn: boolean) {
    if (isOn) localStorage.removeItem(key);
    else localStorage.setItem(key, 'off');
    for (const notify of listeners) notify();
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

export const useIsSoundOn = () => useSyncExternalStore(sound.subscribe, sound.isOn);

let audio: AudioContext | undefined;

/** Two soft notes, a third of a second. A browser stays silent until somebody has pressed something on the page. */
export async function chime(): Promise<void> {
  if (!sound.isOn() || typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  if (audio.state !== 'running') await Promise.race([audio.resume(), new Promise((later) => setTimeout(later, 200))]);
  if (audio.state !== 'running') return;
  for (const [place, hertz] of [659, 880].entries()) playNote(audio, hertz, audio.currentTime + place * 0.12);
}

function playNote(on: AudioContext, hertz: number, at: number): void {
  const note = new OscillatorNode(on, { frequency: hertz, type: 'sine' });
  const loudness = new GainNode(on, { gain: 0 });
  loudness.gain.setValueAtTime(0, at);
  loudness.gain.linearRampToValueAtTime(0.06, at + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.0001, at + 0.2);
  note.connect(loudness).connect(on.destination);
  note.start(at);
  note.stop(at + 0.22);
}
