import changelog from '../../../../CHANGELOG.md?raw';
import { settingsMessages } from '../../../shared/settings';
import box from '../ui/box.module.css';
import { parseChangelog, type Release } from './changelog';
import styles from './WhatChanged.module.css';

const releases = parseChangelog(changelog);

/** The version of the shop's software, and what changed in each. Rule: docs/rules/back-office.md, Settings */
export function WhatChanged() {
  return releases.map((release) => <Changes key={release.version} release={release} />);
}

function Changes({ release: { version, day, about, parts } }: { release: Release }) {
  return (
    <section className={box['box']} aria-labelledby={`version-${version}`}>
      <header>
        <h2 id={`version-${version}`}>{settingsMessages.version(version)}</h2>
        {day && <span className={styles['day']}>{day}</span>}
      </header>
      <div className={styles['changes']}>
        {about && <p>{about}</p>}
        {parts.map(({ title, items }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul>
              {items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}
