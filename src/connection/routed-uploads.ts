import type { Api } from "#api/create-api.ts";
import { openRelay, relayAddress } from "./relay.ts";
import type { Routes } from "./routes.ts";

/** The same client, whose upload addresses lead through the relay where storage does not take a page's PUT. */
export function withRoutedUploads(api: Api, routes: Routes): Api {
  if (routes.upload === "direct") return api;
  return {
    ...api,
    async requestUpload(fileType, signal) {
      const target = await api.requestUpload(fileType, signal);
      await openRelay("upload", target.uploadUrl);
      return { ...target, uploadUrl: relayAddress("upload", target.uploadUrl) };
    },
  };
}
