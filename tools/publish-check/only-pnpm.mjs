// Every package runs this before it is packed. npm would leave `workspace:*` and `catalog:` in the manifest, and what it
// uploads could not be installed; pnpm replaces them.
import process from "node:process";

if (!process.env.npm_config_user_agent?.startsWith("pnpm/")) {
  console.error("Pack and publish with pnpm: other package managers keep workspace:* in package.json.");
  process.exitCode = 1;
}
