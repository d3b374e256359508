#!/usr/bin/env node
// The command of this repository, as it is compiled: what the package `longhaul` (apps/cli) installs.
import '../scripts/npm-settings.mjs';
import '../apps/cli/bin/longhaul.mjs';
