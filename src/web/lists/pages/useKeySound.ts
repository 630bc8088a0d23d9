import { useRef, useState } from 'react';

const [pitchHz, loudness, durationSeconds] = [880, 0.08, 0.04];

/** A short tone at each press, for noisy kitchens. Off by default. */
export function useKeySound() {
  const [isOn, setOn] = useState(false);
  const audio = useRef<AudioContext>(undefined);
  const toggle = () => {
    audio.current ??= new AudioContext();
    void audio.current.resume();
    setOn(!isOn);
  };
  const play = () => {
    if (isOn && audio.current) tone(audio.current);
  };
  return { isOn, toggle, play };
}

function tone(audio: AudioContext): void {
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  source.frequency.value = pitchHz;
  volume.gain.value = loudness;
  source.connect(volume).connect(audio.destination);
  source.start();
  source.stop(audio.currentTime + durationSeconds);
}
