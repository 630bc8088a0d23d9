import { type DeliveryMethod, deliveryMessages as messages, servedStates } from '../../../shared/delivery';
import { formatMoney, toCents } from '../../../shared/money';
import { focusHeading } from '../../ui/focusHeading';
import { useShopFacts } from '../../ui/shopFacts';
import rows from '../table/OrderedTable.module.css';
import { RowMenu } from '../table/RowMenu';
import { useRowMoves } from '../table/useRowMoves';
import { AdminIcon } from '../ui/AdminIcon';
import { Toggle } from '../ui/Toggle';
import box from '../ui/box.module.css';
import styles from './delivery.module.css';
import { useArchiveMethod, useChangeMethod } from './queries';

interface Props {
  methods: DeliveryMethod[];
  onEdit: (method: DeliveryMethod) => void;
}

/** The methods in the checkout's order. On a phone they are a list, and the menu moves them. */
export function MethodTable({ methods, onEdit }: Props) {
  const { mutate: change } = useChangeMethod();
  const { shown, moving, gripOf } = useRowMoves(methods, ({ id }, position, done) =>
    change({ id, fields: { position } }, { onSettled: done }),
  );
  const moved = shown.find(({ id }) => id === moving?.id);
  return (
    <>
      <output className="sr-only">
        {moved && `${moved.name}, position ${shown.indexOf(moved) + 1} of ${shown.length}`}
      </output>
      <table className={`${box['table']} ${rows['table']} ${styles['table']}`}>
        <caption className="sr-only">Delivery methods</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Display order</span>
            </th>
            <th scope="col">Name</th>
            <th scope="col">States</th>
            <th scope="col" className={styles['figure']}>
              Price
            </th>
            <th scope="col" className={styles['figure']}>
              Free over
            </th>
            <th scope="col">Available</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((method, place) => (
            <tr key={method.id} className={method.id === moving?.id ? rows['moving'] : undefined}>
              <td className={rows['grip']}>
                <button type="button" aria-label={`Move ${method.name}, now position ${place + 1}`} {...gripOf(method)}>
                  <AdminIcon name="grip" />
                </button>
              </td>
              <Facts method={method} onEdit={() => onEdit(method)} />
              <td className={styles['offered']}>
                <Toggle
                  label={`${method.name} is available at checkout`}
                  isOn={method.isActive}
                  onChange={(isActive) =>
                    change({
                      id: method.id,
                      fields: { isActive },
                      message: isActive ? messages.offered(method.name) : messages.notOffered(method.name),
                      before: { isActive: method.isActive },
                    })
                  }
                />
              </td>
              <td className={rows['menu']}>
                <MethodMenu method={method} place={place} places={shown.length} onEdit={() => onEdit(method)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Facts({ method, onEdit }: { method: DeliveryMethod; onEdit: () => void }) {
  const { name, description, price, freeFrom, states } = method;
  const { count, which } = servedStates(states, useShopFacts());
  return (
    <>
      <td className={rows['name']}>
        <button type="button" className="link" onClick={onEdit}>
          {name}
        </button>
        {description && <small>{description}</small>}
      </td>
      <td className={styles['states']}>
        {count}
        {which && <small>{which}</small>}
      </td>
      <td className={`${styles['figure']} ${styles['price']}`}>{price === 0 ? 'Free' : formatMoney(toCents(price))}</td>
      <td className={`${styles['figure']} ${styles['free']}`} data-name={freeFrom === null ? undefined : 'Free over'}>
        {freeFrom === null ? '–' : formatMoney(toCents(freeFrom))}
      </td>
    </>
  );
}

interface MenuProps {
  method: DeliveryMethod;
  place: number;
  places: number;
  onEdit: () => void;
}

function MethodMenu({ method, place, places, onEdit }: MenuProps) {
  const { mutate: change } = useChangeMethod();
  const { mutate: archive } = useArchiveMethod(focusHeading); // the focused row will be removed
  const moveTo = (position: number) => change({ id: method.id, fields: { position } });
  return (
    <RowMenu
      of={method.name}
      entries={[
        { label: 'Edit method', icon: 'edit', onSelect: onEdit },
        { label: 'Move up', icon: 'chevronUp', isOff: place === 0, onSelect: () => moveTo(place - 1) },
        { label: 'Move down', icon: 'chevronDown', isOff: place === places - 1, onSelect: () => moveTo(place + 1) },
        { label: 'Archive', icon: 'box', isDangerous: true, onSelect: () => archive(method.id) },
      ]}
    />
  );
}
