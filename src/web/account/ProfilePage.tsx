import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { accountSays, roleLabels, initialsOf } from '../../shared/account';
import type { Schema } from '../../shared/contract';
import { useHonestSentence } from '../connection/useHonestSentence';
import { ButtonLink } from '../ui/ButtonLink';
import { FailureNotice } from '../ui/FailureNotice';
import { Heading } from '../ui/Heading';
import { Icon } from '../ui/Icon';
import { AccountFrame } from './AccountFrame';
import styles from './ProfilePage.module.css';
import { userQuery } from './queries';
import { SessionList } from './SessionList';
import { UnprovenNotice } from './UnprovenNotice';

const route = getRouteApi('/shop/signed-in/customer/view/profile');
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
const dayOfBirth = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }); // without a time zone

export function ProfilePage() {
  const { user } = route.useRouteContext();
  const { data: account, error, refetch } = useQuery(userQuery(user.id));
  const failure = useHonestSentence(accountSays.profileFailed);
  return (
    <AccountFrame title="Profile">
      {account?.isEmailProven === false && <UnprovenNotice userId={user.id} />}
      {account && <Facts account={account} />}
      {account && <Security account={account} />}
      {account && <SessionList userId={user.id} />}
      {!account && error && <FailureNotice sentence={failure} onRetry={refetch} />}
      {!account && !error && <ProfileSkeleton />}
    </AccountFrame>
  );
}

function Facts({ account }: { account: Schema<'User'> }) {
  const { fullName, email, joinDate, role, description, phoneNumber, dob } = account;
  return (
    <section className={`panel ${styles['panel']}`} aria-label="Profile">
      <div className={styles['person']}>
        <span className={styles['avatar']} aria-hidden="true">
          {initialsOf(fullName)}
        </span>
        <div className={styles['who']}>
          <Heading as="h2" textStyle="h2">
            {fullName}
          </Heading>
          <span className={styles['quiet']}>{email}</span>
        </div>
      </div>
      <dl className={styles['facts']}>
        <Fact name="Name">{fullName}</Fact>
        <Fact name="Email">{email}</Fact>
        {phoneNumber && <Fact name="Phone">{phoneNumber}</Fact>}
        {dob && <Fact name="Date of birth">{dayOfBirth.format(new Date(dob))}</Fact>}
        <Fact name="Join date">{day.format(new Date(joinDate))}</Fact>
        <Fact name="Role">
          <span className={styles['role']}>{roleLabels[role]}</span>
        </Fact>
        <Fact name="Description">
          <span className={styles['quiet']}>{description ?? accountSays.noDescription}</span>
        </Fact>
      </dl>
      <div>
        <ButtonLink to="/customer/edit/profile" variant="outline">
          <Icon name="edit" />
          Edit Profile
        </ButtonLink>
      </div>
    </section>
  );
}

function Security({ account: { hasSecondFactor } }: { account: Schema<'User'> }) {
  return (
    <section className={`panel ${styles['panel']}`} aria-labelledby="security">
      <Heading as="h2" textStyle="h3" id="security">
        Login
      </Heading>
      <dl className={styles['facts']}>
        <Fact name="Password">
          <ButtonLink to="/customer/edit/password" search={{ redirect: undefined }} variant="outline">
            Change Password
          </ButtonLink>
        </Fact>
        <Fact name="Two-step login">
          <span className={styles['choice']}>
            {hasSecondFactor ? accountSays.secondFactorIsOn : accountSays.secondFactorIsOff}
            <ButtonLink to="/customer/edit/second-factor" search={{ redirect: undefined }} variant="outline">
              {hasSecondFactor ? 'Switch Off' : 'Set Up'}
            </ButtonLink>
          </span>
        </Fact>
      </dl>
    </section>
  );
}

function ProfileSkeleton() {
  return (
    <div className={`panel ${styles['panel']}`} aria-busy="true">
      <output className="sr-only">Loading your profile</output>
      {[1, 2, 3, 4, 5].map((line) => (
        <span key={line} className={`skeleton ${styles['line']}`} />
      ))}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
