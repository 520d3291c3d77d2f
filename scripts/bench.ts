// npm run attacks, bench, or soak [-- --VARIANT]: runs a program of bench/, or the variant
// that the first argument names; all other arguments are the program's.
const variants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  attacks: { '--evidence': 'evidence' },
  bench: {
    '--versions': 'versions',
    '--backups': 'backups',
    '--size': 'size',
    '--proofs': 'proofs',
    '--ledgers': 'ledgers',
    '--console': 'console',
  },
  soak: { '--resumable': 'resumable', '--failover': 'failover' },
};

const [program = '', first = ''] = process.argv.slice(2);
const variant = variants[program]?.[first];
process.argv.splice(2, variant ? 2 : 1);
await import(`../bench/${variant ?? program}.js`);
