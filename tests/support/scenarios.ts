/** One success and every error of every operation of the contract. */
import { accountScenarios, type Scenarios } from './accountScenarios';
import { backupScenarios } from './backupScenarios';
import { cartScenarios } from './cartScenarios';
import { catalogFormScenarios } from './catalogFormScenarios';
import { catalogScenarios } from './catalogScenarios';
import { contractOperations } from './contract';
import { discountScenarios } from './discountScenarios';
import { importScenarios } from './importScenarios';
import { invitationScenarios } from './invitationScenarios';
import { listScenarios } from './listScenarios';
import { orderScenarios } from './orderScenarios';
import { ownPictureScenarios } from './ownPictureScenarios';
import { pageScenarios } from './pageScenarios';
import { sellingScenarios } from './sellingScenarios';
import { secondFactorScenarios } from './secondFactorScenarios';
import type { TestShop } from './shop';
import { signInScenarios } from './signInScenarios';
import { staffScenarios } from './staffScenarios';

/** @param shop an exclusive one: scenarios move its clock and use up its shared rate limits */
export const scenariosOf = (shop: () => TestShop): Scenarios =>
  [
    signInScenarios,
    accountScenarios,
    secondFactorScenarios,
    invitationScenarios,
    ownPictureScenarios,
    staffScenarios,
    backupScenarios,
    sellingScenarios,
    catalogScenarios,
    catalogFormScenarios,
    cartScenarios,
    importScenarios,
    listScenarios,
    discountScenarios,
    pageScenarios,
    orderScenarios,
  ].reduce<Scenarios>((all, some) => ({ ...all, ...some(shop) }), {});

/** What each operation may answer by the contract, except what any operation may. */
export const namedOutcomes = [...contractOperations.values()].flatMap(({ operationId: id, 'x-problems': problems }) =>
  ['success', ...Object.keys(problems)].map((outcome) => ({ id, outcome, status: problems[outcome] })),
);
