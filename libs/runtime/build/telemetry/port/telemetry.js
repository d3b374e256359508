export {};
//# sourceMappingURL=telemetry.js.map