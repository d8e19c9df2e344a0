// The child of `bench import`: imports the module it is given, or nothing, and prints its processor time and its memory in bytes.
const [specifier] = process.argv.slice(2);
if (specifier !== undefined) await import(specifier);
const { rss, heapUsed } = process.memoryUsage();
const { user, system } = process.cpuUsage();
process.stdout.write(JSON.stringify({ cpuMilliseconds: (user + system) / 1e3, rss, heapUsed }));
