export {};
//# sourceMappingURL=answers.js.map