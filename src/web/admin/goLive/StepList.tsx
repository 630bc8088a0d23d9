import { getRouteApi } from '@tanstack/react-router';
import { type GoLiveStep, goLiveSteps } from '../../../shared/goLive';
import { settingsMessages } from '../../../shared/settings';
import { ButtonLink } from '../../ui/ButtonLink';
import { StateRow } from '../ui/StateRow';
import rows from '../ui/StateRow.module.css';

const route = getRouteApi('/admin');

/** A row per step; an open one has the button that leads to where it is done. */
export function StepList({ steps }: { steps: readonly GoLiveStep[] }) {
  const { user } = route.useRouteContext();
  return (
    <ul className={rows['rows']}>
      {steps.map(({ step, state, sentence, href }) => {
        const { title, button, isForOwner } = goLiveSteps[step];
        const isOpen = state === 'open';
        const isAllowed = user.role === 'ROLE_OWNER' || !isForOwner;
        return (
          <StateRow
            key={step}
            isRight={!isOpen}
            title={title}
            state={state}
            end={
              isOpen &&
              isAllowed && (
                <ButtonLink to={href} variant="outline">
                  {button}
                </ButtonLink>
              )
            }
          >
            <p>{sentence}</p>
            {isOpen && !isAllowed && <p>{settingsMessages.ownerOnly}</p>}
          </StateRow>
        );
      })}
    </ul>
  );
}
