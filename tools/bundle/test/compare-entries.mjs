// node compare-entries.mjs BUNDLE FILE: prints the names of the exports that differ between a bundle and its entry file.
const [bundle, file] = await Promise.all(process.argv.slice(2).map((name) => import(name)));
const names = new Set([...Object.keys(bundle), ...Object.keys(file)]);
/** Returns the name of a class, or the type of any other value. Users see class names in consoles. @param {unknown} value */
const signature = (value) =>
  typeof value === "function" && String(value).startsWith("class") ? value.name : typeof value;
console.log(JSON.stringify([...names].filter((name) => signature(bundle[name]) !== signature(file[name]))));
