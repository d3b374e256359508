// mcp-use's proxy before one server: `node mcp-use-proxy.mjs FOLDER URL PORT`, where mcp-use is installed in FOLDER.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [folder = '.', url = '', port = ''] = process.argv.slice(2);
const { MCPServer } = createRequire(join(resolve(folder), 'package.json'))('mcp-use/server');

const server = new MCPServer({ name: 'proxy', version: '1.0.0' });
await server.proxy({ plain: { url } });
await server.listen(Number(port));
