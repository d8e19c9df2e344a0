// node compare-entries.mjs BUNDLE FILE: prints what differs between the exports of a bundle and of the file it is made of.
const [bundle, file] = await Promise.all(process.argv.slice(2).map((name) => import(name)));
const names = new Set([...Object.keys(bundle), ...Object.keys(file)]);
/** The name of a class counts: users see it in consoles. @param {unknown} value */
const signature = (value) =>
  typeof value === "function" && String(value).startsWith("class") ? value.name : typeof value;
console.log(JSON.stringify([...names].filter((name) => signature(bundle[name]) !== signature(file[name]))));
