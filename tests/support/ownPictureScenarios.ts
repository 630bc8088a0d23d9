/** One success and every error of a user's own picture, for the contract test. */
import type { Scenarios } from './accountScenarios';
import { fileForm, jpeg } from './pictures';
import type { Person, TestShop } from './shop';

export function ownPictureScenarios(shop: () => TestShop): Scenarios {
  const send = async (file: Buffer, as?: Person) => {
    const person = as ?? (await shop().signIn());
    return shop().call('setOwnPicture', { as: person, path: { userId: person.userId }, ...fileForm(file) });
  };
  return {
    setOwnPicture: {
      success: async () => send(await jpeg()),
      not_a_picture: () => send(Buffer.from('<svg/>')),
      picture_too_large: async () => send(await jpeg(20_000, 1)),
    },
    removeOwnPicture: {
      success: async () => {
        const as = await shop().signIn();
        await send(await jpeg(), as);
        return shop().call('removeOwnPicture', { as, path: { userId: as.userId } });
      },
    },
  };
}
