import { registerOurs } from "./ours.mjs";

registerOurs(true);
