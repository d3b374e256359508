// Removes npm's settings from the environment. npm passes the settings of `.npmrc` to every program that it runs, and sets
// NODE_ENV=production because `.npmrc` omits the development tools. Both are meant only for the installation of this repository, not for
// programs that it runs or for installations elsewhere.
if (process.env['npm_config_omit'] === 'dev') {
  delete process.env['npm_config_omit'];
  delete process.env['NODE_ENV'];
}
