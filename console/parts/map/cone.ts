/** Where a camera looked: degrees from north. Around the middle of the marker that it belongs to. */
export function coneElement(direction: number): HTMLElement {
  const cone = document.createElement('span');
  cone.className = 'map-cone';
  cone.dataset.direction = String(direction);
  cone.style.setProperty('--direction', `${direction}deg`);
  return cone;
}
