// npm run bench [-- --VARIANT], npm run soak [-- --VARIANT]: runs a program of bench/, or the variant
// that the first argument names; all other arguments are the program's.
const variants = {
  bench: {
    '--peers': 'peers',
    '--versions': 'versions',
    '--cost': 'cost',
    '--profile': 'profile',
    '--paths': 'paths',
    '--tiles': 'map-tiles',
    '--partitions': 'partitions',
    '--model': 'model',
    '--whole': 'whole-pictures',
    '--breaking-line': 'breaking-line',
    '--walk': 'walk',
  },
  soak: { '--sync': 'sync', '--resumable': 'resumable', '--failover': 'failover' },
};

const [program, first] = process.argv.slice(2);
const variant = variants[program][first];
process.argv.splice(2, variant ? 2 : 1);
await import(`../dist/bench/${variant ?? program}.js`);
