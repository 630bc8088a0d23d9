import { orderStaffMessages } from '../../../shared/ordersStaff';
import { Button } from '../../ui/Button';
import { AdminIcon } from '../ui/AdminIcon';
import styles from './orders.module.css';
import { chime, sound, useIsSoundOn } from './useNewOrders';

/** Turns the sound for new orders on this device on or off, and plays it when turned on. */
export function SoundSwitch() {
  const isOn = useIsSoundOn();
  const toggle = () => {
    sound.switch(!isOn);
    if (!isOn) void chime();
  };
  return (
    <Button
      variant="ghost"
      className={styles['switch']}
      aria-label="Sound for new orders"
      aria-pressed={isOn}
      title={wordsFor(isOn)}
      onClick={toggle}
    >
      <AdminIcon name={isOn ? 'bell' : 'bellOff'} />
    </Button>
  );
}

const wordsFor = (isOn: boolean) => (isOn ? orderStaffMessages.soundOn : orderStaffMessages.soundOff);
