module.exports = { mode: 'production', entry: './main.js', output: { path: `${__dirname}/webpack-dist`, filename: 'main.js' } };
