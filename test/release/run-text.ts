/**
 * The text of `run(textOf, pages, cachedData)`, by which a file runs the program that is beside it or in it. `textOf`
 * gives the text of `program.js` and of `on-demand.js`. The pages are those of the program, if it has them in itself.
 * V8 takes the code cache where its own version has made it of the same text with the same flags; else it compiles.
 */
export const RUN_TEXT = `
function run(textOf, pages, cachedData) {
  const Module = require('node:module');
  const { join } = require('node:path');
  const { Script } = require('node:vm');
  // Lines in stacks are those of the files in the package. In parentheses V8 compiles a text at once, and reads it
  // once.
  const wrapped = (name) =>
    '(function (module, require, __filename, __dirname, EMBEDDED_PAGE, EMBEDDED_TRACE) {' + textOf(name) + '\\n})';
  const load = (own, code, require) => {
    code(own, require, own.id, __dirname, ...pages);
    return own.exports;
  };
  const onDemand = () => {
    // A module of its own: it imports files, which this one cannot do in a single executable.
    const own = new Module(join(__dirname, 'on-demand.js'));
    own._compile('exports.code = ' + wrapped('on-demand.js') + '; exports.require = require', own.id);
    return load(own, own.exports.code, own.exports.require);
  };
  const own = new Module(join(__dirname, 'program.js'));
  const requireFile = Module.createRequire(own.id);
  const required = (name) => (name === './on-demand.js' ? onDemand() : requireFile(name));
  const script = new Script(wrapped('program.js'), { filename: own.id, cachedData });
  load(own, script.runInThisContext(), required);
}
`;
