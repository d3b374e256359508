// npm hands what `.npmrc` says to whatever it runs, and takes the tools of development that are left out for NODE_ENV=production. Both are
// meant for the installation of this repository alone: not for what it runs, nor for what is installed elsewhere.
if (process.env['npm_config_omit'] === 'dev') {
  delete process.env['npm_config_omit'];
  delete process.env['NODE_ENV'];
}
