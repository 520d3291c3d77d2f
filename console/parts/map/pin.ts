import { coneElement } from './cone';

/**
 * A pin on a map.
 * @param direction in which a picture looks from there, as a cone.
 * @param name of a pin that can be moved.
 */
export function pinElement(direction: number | undefined, name: string | undefined): HTMLElement {
  const pin = document.createElement('div');
  pin.className = 'map-pin';
  if (name !== undefined) {
    pin.tabIndex = 0;
    pin.setAttribute('role', 'button');
    pin.setAttribute('aria-label', name);
  }
  if (direction !== undefined) pin.append(coneElement(direction));
  return pin;
}
