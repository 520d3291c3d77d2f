/**
 * Makes those URLs of the store absolute that are paths of this API. @param base URL of the API.
 */
export function urlResolver(base: string): (url: string) => string {
  const prefix = base.replace(/\/+$/, '');
  return (url) => (url.startsWith('/') ? prefix + url : url);
}
