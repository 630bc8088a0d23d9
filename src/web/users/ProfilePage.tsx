import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { accountMessages, roleLabels } from '../../shared/usersAccount';
import type { Schema } from '../../shared/contract';
import { ReadFailure } from '../connection/ReadFailure';
import { ButtonLink } from '../ui/ButtonLink';
import { Heading } from '../ui/Heading';
import { LaterIcon } from '../ui/LaterIcon';
import { Waiting } from '../ui/Waiting';
import { AccountFrame } from './AccountFrame';
import { Avatar } from './Avatar';
import styles from './ProfilePage.module.css';
import { userQuery } from './queries';
import { SessionList } from './SessionList';
import { UnverifiedEmailNotice } from './UnverifiedEmailNotice';

const route = getRouteApi('/shop/signed-in/customer/view/profile');
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
const dayOfBirth = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }); // without a time zone

export function ProfilePage() {
  const { user } = route.useRouteContext();
  const read = useQuery(userQuery(user.id));
  const { data: account, error } = read;
  return (
    <AccountFrame title="Profile">
      {account?.isEmailProven === false && <UnverifiedEmailNotice userId={user.id} />}
      {account && <Facts account={account} />}
      {account && <Security account={account} />}
      {account && <SessionList userId={user.id} />}
      {!account && error && <ReadFailure read={read} failure={accountMessages.profileFailed} />}
      {!account && !error && <ProfileSkeleton />}
    </AccountFrame>
  );
}

function Facts({ account }: { account: Schema<'User'> }) {
  const { fullName, picture, email, joinDate, role, description, phoneNumber, dob } = account;
  return (
    <section className={`panel ${styles['panel']}`} aria-label="Profile">
      <div className={styles['person']}>
        <Avatar fullName={fullName} picture={picture} className={styles['avatar']} />
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
        <Fact name="Joined">{day.format(new Date(joinDate))}</Fact>
        <Fact name="Role">
          <span className={styles['role']}>{roleLabels[role]}</span>
        </Fact>
        <Fact name="Bio">
          <span className={styles['quiet']}>{description ?? accountMessages.noDescription}</span>
        </Fact>
      </dl>
      <div>
        <ButtonLink to="/customer/edit/profile" variant="outline">
          <LaterIcon name="edit" />
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
        Login and security
      </Heading>
      <dl className={styles['facts']}>
        <Fact name="Password">
          <ButtonLink to="/customer/edit/password" search={{ redirect: undefined }} variant="outline">
            Change password
          </ButtonLink>
        </Fact>
        <Fact name="Two-step login">
          <span className={styles['choice']}>
            {hasSecondFactor ? accountMessages.secondFactorIsOn : accountMessages.secondFactorIsOff}
            <ButtonLink to="/customer/edit/second-factor" search={{ redirect: undefined }} variant="outline">
              {hasSecondFactor ? 'Turn off' : 'Set up'}
            </ButtonLink>
          </span>
        </Fact>
      </dl>
    </section>
  );
}

function ProfileSkeleton() {
  return (
    <Waiting what="your profile" className={`panel ${styles['panel']}`}>
      {[1, 2, 3, 4, 5].map((line) => (
        <span key={line} className={`skeleton ${styles['line']}`} />
      ))}
    </Waiting>
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
