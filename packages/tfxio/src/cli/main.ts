#!/usr/bin/env node
import { hostOfProcess } from "./process-host.js";
import { run } from "./run.js";

process.exitCode = await run(process.argv.slice(2), hostOfProcess());
