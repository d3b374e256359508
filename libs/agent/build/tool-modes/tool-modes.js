import { nativeMode } from './native-mode.js';
import { schemaMode } from './schema-mode.js';
import { textualMode } from './textual-mode.js';
/** The ways to offer tools to a model. */
export const toolModes = { native: nativeMode, textual: textualMode, schema: schemaMode };
//# sourceMappingURL=tool-modes.js.map