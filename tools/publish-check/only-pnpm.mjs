// Every package runs this before it is packed. npm would leave `workspace:*` and `catalog:` in the manifest, and the published
// package could not be installed. pnpm replaces them with versions.
import process from "node:process";

if (!process.env.npm_config_user_agent?.startsWith("pnpm/")) {
  console.error("Pack and publish with pnpm. npm leaves workspace:* and catalog: in package.json.");
  process.exitCode = 1;
}
