/** A success and each refusal of every operation of the contract. */
import { accountScenarios, type Scenarios } from './accountScenarios';
import { cartScenarios } from './cartScenarios';
import { catalogFormScenarios } from './catalogFormScenarios';
import { catalogScenarios } from './catalogScenarios';
import { contractOperations } from './contract';
import { discountScenarios } from './discountScenarios';
import { listScenarios } from './listScenarios';
import { orderScenarios } from './orderScenarios';
import { ownPictureScenarios } from './ownPictureScenarios';
import { sellingScenarios } from './sellingScenarios';
import type { TestShop } from './shop';
import { signInScenarios } from './signInScenarios';
import { staffScenarios } from './staffScenarios';

/** @param shop one of its own: scenarios move its clock, and spend what it allows to everybody */
export const scenariosOf = (shop: () => TestShop): Scenarios =>
  [
    signInScenarios,
    accountScenarios,
    ownPictureScenarios,
    staffScenarios,
    sellingScenarios,
    catalogScenarios,
    catalogFormScenarios,
    cartScenarios,
    listScenarios,
    discountScenarios,
    orderScenarios,
  ].reduce<Scenarios>((all, some) => ({ ...all, ...some(shop) }), {});

/** What each operation may answer by the contract, but for what any may. */
export const namedOutcomes = [...contractOperations.values()].flatMap(({ operationId: id, 'x-problems': problems }) =>
  ['success', ...Object.keys(problems)].map((outcome) => ({ id, outcome, status: problems[outcome] })),
);
