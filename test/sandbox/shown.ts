import { openSandbox } from "./sandbox-client.ts";

export const FOX = { prompt: "A fox" };

/** One job of each kind, and the list, as a quirk shows them. */
export async function shown(name: string) {
  const client = openSandbox({ quirks: [name] });
  const submitted = await client.submit("lumen-2", { ...FOX, size: "512x512" });
  const video = await client.submit("halide-video", FOX);
  const running = await client.job(video.json.request_id);
  client.pass(300);
  const done = await client.job(video.json.request_id);
  const failed = await client.submit("lumen-2", { prompt: "fail:provider" });
  const list = await client.queue("GET", "/apikey/requests");
  return { ...client, submitted, running, done, failed, list, image: await client.job(submitted.json.request_id) };
}
