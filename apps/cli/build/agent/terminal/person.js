export {};
//# sourceMappingURL=person.js.map