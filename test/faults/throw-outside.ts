// Loaded into a service by tests (node --import): on a signal, throws where nothing can catch it.
process.on('SIGUSR2', () =>
  setTimeout(() => {
    throw new Error('thrown by a test, outside of everything');
  }, 0),
);
