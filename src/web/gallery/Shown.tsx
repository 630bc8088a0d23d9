import { minusLine } from '../../shared/totalLines';
import { Heat } from '../catalog/core/HeatDots';
import { Badge } from '../ui/Badge';
import { Disc } from '../ui/Disc';
import { Heading } from '../ui/Heading';
import { Icon, iconNames } from '../ui/Icon';
import { Initials } from '../ui/Initials';
import { LaterIcon, laterIconNames } from '../ui/LaterIcon';
import { PageHead } from '../ui/PageHead';
import { Picture } from '../ui/Picture';
import { Price } from '../ui/Price';
import { Subtotal } from '../ui/Subtotal';
import { Thumbnail } from '../ui/Thumbnail';
import { TotalLines } from '../ui/TotalLines';
import { Button } from '../ui/Button';
import styles from './Gallery.module.css';

const tones = ['success', 'warn', 'error', 'info', 'neutral'] as const;
const picture = { base: '/pictures/none', widths: [160, 320], alt: 'Cumin', placeholder: '#b98a5a' };

export const Shown = () => (
  <>
    <Heads />
    <div className={styles['states']}>
      {tones.map((tone) => (
        <Badge key={tone} tone={tone}>
          {tone}
        </Badge>
      ))}
      <Badge tone="neutral" hollow>
        hollow
      </Badge>
      <Badge tone="info" icon={<Icon name="lock" size={16} />}>
        with a drawing
      </Badge>
    </div>
    <div className={styles['states']}>
      {[0, 1, 2, 3, 4, 5].map((level) => (
        <Heat key={level} level={level} />
      ))}
    </div>
    <div className={styles['states']}>
      <Price cents={365} />
      <Price cents={365} large />
      <Price cents={365} muted />
    </div>
    <Totals />
    <div className={styles['states']}>
      <Picture picture={picture} sizes="160px" isDecoration />
      <Thumbnail imageUrl={null} />
      <Disc icon="check" tone="success" />
      <Initials fullName="Isatou Jallow" />
      <Disc icon="cross" tone="error" />
      <Disc icon="lock" tone="neutral" />
    </div>
    <div className={styles['states']}>
      {[...iconNames(), ...laterIconNames()].map((name) => (
        <span key={name} className={styles['named']}>
          <LaterIcon name={name} />
          <small>{name}</small>
        </span>
      ))}
    </div>
  </>
);

const Heads = () => (
  <div className={styles['wide']}>
    <PageHead title="A page">
      <Button variant="outline">Action</Button>
    </PageHead>
    {(['display', 'h1', 'h2', 'h3'] as const).map((textStyle) => (
      <Heading key={textStyle} as="h3" textStyle={textStyle}>
        {`Heading ${textStyle}`}
      </Heading>
    ))}
  </div>
);

const lines = [
  { label: 'Subtotal', text: '$12.00' },
  { label: 'Delivery', text: 'Free' },
];
const grand = { label: 'Total', text: '$12.00' };

const Totals = () => (
  <div className={styles['wide']}>
    <Subtotal cents={1200} />
    <TotalLines lines={[...lines, minusLine('Discount', 318)]} grand={grand} />
    <TotalLines lines={lines} grand={grand} isOlder isBusy />
    <TotalLines lines={lines} grand={grand} isPlain />
  </div>
);
