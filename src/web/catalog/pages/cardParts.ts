/** What a product card needs after the first view, as one chunk. */
export { cartOf } from '../../cart/lineInCart';
export { addOne } from '../../cart/press';
export { CardMenu } from '../../lists/core/AddToList';
export { CardSizes } from './CardSizes';
export { Fewer } from './Fewer';
