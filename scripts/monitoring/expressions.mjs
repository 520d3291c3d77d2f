// Expressions for the dashboard; all of them select only the chosen nodes.
const where = 'instance=~"$instance"';
const every = '[$__rate_interval]';

const all = `{${where}}`;
export const only = (more) => `{${where},${more}}`;
export const allOf = (metric) => `${metric}${all}`;

export const sumBy = (by, metric) => `sum by (${by}) (${metric}${all})`;
export const rate = (metric, by, selector = all) =>
  `sum by (${by}) (rate(${metric}${selector}${every}))`;
export const increase = (metric, by, span = every) =>
  `sum by (${by}) (increase(${metric}${all}${span}))`;

export const quantile = (q, metric, by = '', selector = all) => {
  const labels = by === '' ? 'le' : `le, ${by}`;
  return `histogram_quantile(${q}, sum by (${labels}) (rate(${metric}_bucket${selector}${every})))`;
};
/** Several quantiles of one histogram, as queries. */
export const quantiles = (of, metric, selector) =>
  of.map((q) => [quantile(q, metric, '', selector), `p${q * 100}`]);

/** A value that is the same on every node. */
export const shared = (metric, by) => `max by (${by}) (${metric}${all})`;
