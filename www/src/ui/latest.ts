/**
 * Runs one piece of work at a time: a request while it runs is remembered, and however many come,
 * one run follows, which sees the newest state.
 */
export function latest(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const run = async () => {
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      running = undefined;
    }
  };
  return () => {
    again = true;
    running ??= run();
    return running;
  };
}
