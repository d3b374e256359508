import type { ToolMode } from '../model/chat-model.js';
import { nativeMode } from './native-mode.js';
import { schemaMode } from './schema-mode.js';
import { textualMode } from './textual-mode.js';
import type { ToolModeCodec } from './tool-mode.js';

/** Lists the ways to offer tools to a model. */
export const toolModes: Readonly<Record<ToolMode, ToolModeCodec>> = { native: nativeMode, textual: textualMode, schema: schemaMode };
