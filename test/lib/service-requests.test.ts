import { expect, it } from "vitest";
import { isServiceRequest } from "#lib/service-requests.ts";

const service = { queueBaseUrl: "https://api.example/api/v1/queue", inferenceBaseUrl: "https://api.example" };

it.each([
  ["GET", "https://api.example/api/v1/queue/apikey/models"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/vendor%2Fmodel%20one"],
  ["POST", "https://api.example/api/v1/queue/apikey/requests/estimate"],
  ["POST", "https://api.example/api/v1/queue/apikey/requests"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/50%25-off"],
  ["GET", "https://api.example/api/v1/queue/apikey/requests?limit=20&status=queued,success"],
  ["GET", "https://api.example/api/v1/queue/apikey/requests/job%3A1"],
  ["DELETE", "https://api.example/api/v1/queue/apikey/requests/job-1/media"],
  ["POST", "https://api.example/api/v1/queue/apikey/upload-url"],
  ["GET", "https://api.example/v1/models"],
  ["POST", "https://api.example/v1/messages"],
])("takes %s %s", (method, url) => {
  expect(isServiceRequest(service, method, url)).toBe(true);
});

it.each([
  ["GET", "https://api.example/api/v1/queue/apikey"],
  ["POST", "https://api.example/api/v1/queue/apikey/models"],
  ["POST", "https://api.example/v1/api_keys"],
  ["DELETE", "https://api.example/api/v1/queue/apikey/requests"],
  ["GET", "https://api.example/v1/models/../billing"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/.."],
  ["GET", "https://api.example/api/v1/queue/apikey/models/%2e%2E"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/a%2F..%2F..%2Fkeys"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/a%5C..%5Ckeys"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/%"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/a%252F..%252Fkeys"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/%252e%252e"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/..;a=1%2Fkeys"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/%EF%BC%8E%EF%BC%8E%2Fkeys"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/a\\keys"],
  ["GET", "https://api.example/api/v1/queue/apikey/models/a%0d%0aX"],
  ["GET", "https://api.example/api/v1/queue/apikey//models"],
  ["GET", "https://api.example//v1/models"],
  ["DELETE", "https://api.example/api/v1/queue/apikey/requests/../media"],
  ["GET", "https://api.example/api/v1/queue/apikey/requests/a%2Fmedia"],
  ["GET", "https://api.example.evil/v1/models"],
  ["GET", "https://evil.example/api/v1/queue/apikey/models"],
  ["GET", "//api.example/v1/models"],
])("refuses %s %s", (method, url) => {
  expect(isServiceRequest(service, method, url)).toBe(false);
});
