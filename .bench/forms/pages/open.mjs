import { registerOurs } from "./ours.mjs";

registerOurs(false);
