interface Closable {
  close(): Promise<void>;
}

/**
 * A hook that opens a store for the tests of a block: for all of them with `beforeAll`, for each with `beforeEach`.
 * The store is closed after them.
 *
 * @param use keeps what the tests need of the store
 */
export function opening<Opened extends Closable>(
  open: () => Promise<Opened>,
  use: (opened: Opened) => void,
): () => Promise<() => Promise<void>> {
  return async () => {
    const opened = await open();
    use(opened);
    return () => opened.close();
  };
}
