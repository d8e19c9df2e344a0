export {
  type ExpansionService,
  type ExpansionServiceOptions,
  startExpansionService,
} from "./expansion-service.js";
export type { ReadConfiguration } from "./read-configuration.js";
