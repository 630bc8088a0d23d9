import { useId, useRef, useState } from 'react';
import { accountMessages } from '../../shared/usersAccount';
import type { Schema } from '../../shared/contract';
import { ConnectionNotice } from '../connection/ConnectionNotice';
import { PictureInput } from '../forms/PictureInput';
import { preparePicture } from '../forms/preparePicture';
import { useIsOnline } from '../server/reachability';
import { ActionButton } from '../ui/ActionButton';
import { Heading } from '../ui/Heading';
import { Icon } from '../ui/Icon';
import { Avatar } from './Avatar';
import styles from './OwnPicture.module.css';
import { useRemovePicture, useSetPicture } from './pictureQueries';

/** The user's own picture; uploaded as soon as it is chosen. Rule: docs/rules/accounts.md, Picture */
export function OwnPicture({ account }: { account: Schema<'User'> }) {
  const { id: userId, fullName, picture } = account;
  const chooser = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [pictureError, setPictureError] = useState<string>();
  const set = useSetPicture(userId);
  const remove = useRemovePicture(userId, () => opener.current?.focus());
  const isOnline = useIsOnline();
  const hintId = useId();
  const [isPreparing, setPreparing] = useState(false);
  const take = async (file: File | undefined) => {
    if (!file) return;
    setPreparing(true);
    const prepared = await preparePicture(file);
    setPreparing(false);
    setPictureError('wrong' in prepared ? prepared.wrong : undefined);
    if ('picture' in prepared) set.mutate(prepared.picture);
  };
  const button = { isOff: !isOnline, 'aria-describedby': hintId } as const;
  return (
    <section className={`panel ${styles['panel']}`} aria-label="Photo">
      <Avatar fullName={fullName} picture={picture} className={styles['avatar']} />
      <div className={styles['choice']}>
        <Heading as="h2" textStyle="h3">
          Photo
        </Heading>
        <div id={hintId}>
          {!isOnline && <ConnectionNotice what="change your photo" />}
          {isOnline && !pictureError && <p className={styles['hint']}>{accountMessages.pictureHint}</p>}
          {isOnline && pictureError && <PictureError sentence={pictureError} />}
        </div>
        <div className={styles['actions']}>
          <ActionButton
            {...button}
            ref={opener}
            variant="outline"
            isBusy={set.isPending || isPreparing}
            onClick={() => chooser.current?.click()}
          >
            {picture ? 'Change photo' : 'Choose photo'}
          </ActionButton>
          {picture && (
            <ActionButton
              {...button}
              variant="ghost"
              {...(isOnline && { colorPalette: 'error' })}
              isBusy={remove.isPending}
              onClick={() => {
                setPictureError(undefined);
                remove.mutate();
              }}
            >
              Remove photo
            </ActionButton>
          )}
        </div>
      </div>
      <PictureInput ref={chooser} label="Photo file" onChoose={([file]) => void take(file)} />
    </section>
  );
}

const PictureError = ({ sentence }: { sentence: string }) => (
  <p role="alert" className={styles['mistake']}>
    <Icon name="alert" size={16} />
    {sentence}
  </p>
);
