export {};
//# sourceMappingURL=tenant-overrides.js.map