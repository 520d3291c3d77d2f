/** Makes URLs of the store absolute that are paths of this API. @param base URL of the API. */
export function urlResolver(base: string): (address: string) => string {
  const prefix = base.replace(/\/+$/, '');
  return (address) => (address.startsWith('/') ? prefix + address : address);
}
