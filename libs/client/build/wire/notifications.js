/** Hands the notifications of a connection to those who wait for them. */
export class Notifications {
    #listeners = new Set();
    /** @returns stops listening */
    listen(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }
    /** @returns whether somebody took it for himself */
    notify(notification) {
        return [...this.#listeners].map((listener) => listener(notification) === true).includes(true);
    }
}
//# sourceMappingURL=notifications.js.map