/**
 * A hook that opens a backend for the tests of a block: for all of them with `beforeAll`, for each with `beforeEach`.
 * The backend is closed after them.
 *
 * @param use keeps what the tests need of the backend
 */
export function opening(open, use) {
    return async () => {
        const opened = await open();
        use(opened);
        return () => opened.close();
    };
}
//# sourceMappingURL=opening.js.map