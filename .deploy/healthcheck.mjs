// node healthcheck.mjs: ends with 0 when the host of this environment answers, by the same settings as the host itself.
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";

const { PORT, HOST, SAFELIGHT_TLS_KEY, SAFELIGHT_TLS_CERT } = process.env;
const isTls = Boolean(SAFELIGHT_TLS_KEY && SAFELIGHT_TLS_CERT);
const everywhere = { "0.0.0.0": "127.0.0.1", "::": "::1" };
const options = {
  host: everywhere[HOST] ?? (HOST || "127.0.0.1"),
  port: PORT || 4173,
  path: "/healthz",
  timeout: 2500,
  // The certificate is for the name that people open, and this asks the machine itself.
  rejectUnauthorized: false,
};

const asking = (isTls ? requestTls : requestPlain)(options, (answer) =>
  process.exit(answer.statusCode === 200 ? 0 : 1),
);
asking.on("timeout", () => process.exit(1));
asking.on("error", () => process.exit(1));
asking.end();
