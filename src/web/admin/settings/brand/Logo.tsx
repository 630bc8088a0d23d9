import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import type { Schema } from '../../../../shared/contract';
import { settingsMessages } from '../../../../shared/settings';
import { OnlineButton } from '../../../connection/OnlineButton';
import { PictureInput } from '../../../forms/PictureInput';
import { preparePicture } from '../../../forms/preparePicture';
import brandStyles from '../../../ui/Brand.module.css';
import { Heading } from '../../../ui/Heading';
import { Icon } from '../../../ui/Icon';
import form from '../../ui/form.module.css';
import { logoQuery, useRemoveLogo, useSetLogo } from '../queries';
import styles from './Logo.module.css';

const route = getRouteApi('/admin');

/** The shop's logo; uploaded as soon as it is chosen. Rule: docs/rules/back-office.md, Brand */
export function Logo() {
  const { user } = route.useRouteContext();
  const { data: logo } = useQuery(logoQuery());
  if (logo === undefined) return null;
  return (
    <section className={`${form['box']} ${form['narrow']}`} aria-label="Logo">
      <Heading as="h2" textStyle="h3" className={form['heading']}>
        Logo
      </Heading>
      <div className={styles['frame']}>
        <LogoOrLid logo={logo} />
      </div>
      {user.role === 'ROLE_OWNER' && <Choice logo={logo} />}
    </section>
  );
}

const LogoOrLid = ({ logo }: { logo: Schema<'Logo'> | null }) =>
  logo ? (
    <img {...logo} className={styles['logo']} alt="Logo" />
  ) : (
    <span className={`${brandStyles['lid']} ${styles['lid']}`}>&amp;</span>
  );

function Choice({ logo }: { logo: Schema<'Logo'> | null }) {
  const chooser = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const hintId = useId();
  const [wrong, setWrong] = useState<string>();
  const [isPreparing, setPreparing] = useState(false);
  const set = useSetLogo();
  const remove = useRemoveLogo(() => opener.current?.focus());
  const take = async (file: File | undefined) => {
    if (!file) return;
    setPreparing(true);
    const prepared = await preparePicture(file);
    setPreparing(false);
    setWrong('wrong' in prepared ? prepared.wrong : undefined);
    if ('picture' in prepared) set.mutate(prepared.picture);
  };
  return (
    <>
      <div id={hintId}>
        {wrong === undefined ? (
          <p className={styles['hint']}>{settingsMessages.logoHint}</p>
        ) : (
          <p role="alert" className={styles['wrong']}>
            <Icon name="alert" size={16} />
            {wrong}
          </p>
        )}
      </div>
      <div className={form['actions']}>
        <OnlineButton
          what="change the logo"
          ref={opener}
          variant="outline"
          isBusy={set.isPending || isPreparing}
          onClick={() => chooser.current?.click()}
        >
          {logo ? 'Replace logo' : 'Choose logo'}
        </OnlineButton>
        {logo && (
          <OnlineButton
            what="remove the logo"
            variant="ghost"
            colorPalette="error"
            isBusy={remove.isPending}
            onClick={() => {
              setWrong(undefined);
              remove.mutate();
            }}
          >
            Remove logo
          </OnlineButton>
        )}
      </div>
      <PictureInput ref={chooser} label="Logo file" onChoose={([file]) => void take(file)} />
    </>
  );
}
