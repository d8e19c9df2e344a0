// node child.js [MODULE]: the child of `bench import`. Imports MODULE, if given. Then it prints the processor time of the process
// in ms, and its memory in bytes.
const [specifier] = process.argv.slice(2);
if (specifier !== undefined) await import(specifier);
const { rss, heapUsed } = process.memoryUsage();
const { user, system } = process.cpuUsage();
process.stdout.write(JSON.stringify({ cpuMilliseconds: (user + system) / 1e3, rss, heapUsed }));
