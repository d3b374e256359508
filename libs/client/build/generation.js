export const GENERATIONS = ['2026-07-28', '2025-11-25'];
//# sourceMappingURL=generation.js.map