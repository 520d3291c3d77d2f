// npm run bench [-- --peers|--profile|--paths|--tiles|--breaking-line], npm run soak [-- --sync|--resumable]:
// runs a program of bench/, or the variant that the first argument names; all other arguments are the program's.
const variants = {
  bench: {
    '--peers': 'peers',
    '--profile': 'profile',
    '--paths': 'paths',
    '--tiles': 'map-tiles',
    '--breaking-line': 'breaking-line',
  },
  soak: { '--sync': 'sync', '--resumable': 'resumable' },
};

const [program, first] = process.argv.slice(2);
const variant = variants[program][first];
process.argv.splice(2, variant ? 2 : 1);
await import(`../dist/bench/${variant ?? program}.js`);
