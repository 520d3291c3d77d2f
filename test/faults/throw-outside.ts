// Loaded into a service by tests (node --import): throws where nobody can catch it, at a signal.
process.on('SIGUSR2', () =>
  setTimeout(() => {
    throw new Error('thrown by a test, outside of everything');
  }, 0),
);
