import type { EndpointGroup, SandboxContext } from "#sandbox/sandbox-context.ts";
import { badRequest, SandboxError } from "#sandbox/sandbox-error.ts";
import type { Exchange, Route } from "../authenticate.ts";
import { tooLarge } from "../capacity.ts";
import { requestStream } from "../request-stream.ts";
import { fileResponse, storageError } from "./media-endpoints.ts";
import { QUEUE_PATH } from "./model-endpoints.ts";
import { UPLOAD_KINDS, UPLOAD_SECONDS } from "./upload-store.ts";

/** Spec 4.1: the signed address, the PUT to it, and the public address that jobs read from. */
export function uploadEndpoints(context: SandboxContext): EndpointGroup {
  const request: Route = {
    name: "upload-url",
    family: "queue",
    method: "POST",
    path: `${QUEUE_PATH}/upload-url`,
    readsJson: true,
    handle({ body, caller, base }) {
      const fileType = body.file_type;
      if (fileType === undefined) throw badRequest("file_type is required");
      if (typeof fileType !== "string" || !Object.hasOwn(UPLOAD_KINDS, fileType)) {
        throw badRequest(`file_type must be one of ${Object.keys(UPLOAD_KINDS).join(", ")}`);
      }
      const input = context.uploads.create(fileType, caller.user, caller.organisation);
      const expires = Math.floor(context.clock.now() / 1000) + UPLOAD_SECONDS;
      const name = `${input.id}.${fileType}`;
      return Response.json({
        upload_url: `${base}/storage/uploads/${name}?expires=${expires}&signature=${context.uploads.sign(input, expires)}`,
        public_url: `${base}/storage/inputs/${name}`,
      });
    },
  };
  const put: Route = {
    name: "upload",
    family: "storage",
    method: "PUT",
    path: "/storage/uploads/:file",
    handle: (exchange) => storeUpload(context, exchange),
  };
  const read: Route = {
    name: "input",
    family: "storage",
    method: "GET",
    path: "/storage/inputs/:file",
    handle({ request: asked, params }) {
      const input = storedInput(context, params.file ?? "");
      if (input?.size === undefined) return storageError(404, "NoSuchKey", "The specified key does not exist.");
      if (input.file === undefined)
        return storageError(404, "NoSuchKey", "The sandbox did not save the bytes of this file.");
      return fileResponse(asked, input.file, `${UPLOAD_KINDS[input.fileType]}/${input.fileType}`);
    },
  };
  return { routes: [request, put, read] };
}

async function storeUpload(context: SandboxContext, { request, params, url }: Exchange): Promise<Response> {
  const input = storedInput(context, params.file ?? "");
  const expires = Number(url.searchParams.get("expires"));
  const isSigned = input !== undefined && url.searchParams.get("signature") === context.uploads.sign(input, expires);
  if (!isSigned) return storageError(403, "SignatureDoesNotMatch", "The URL’s signature is not valid.");
  if (context.clock.now() / 1000 > expires) return storageError(403, "ExpiredToken", "The signed URL has expired.");
  // Spec 4.1: exactly <kind>/<file_type as passed>; image/jpeg is wrong for jpg, and parameters are wrong too.
  if (request.headers.get("content-type") !== `${UPLOAD_KINDS[input.fileType]}/${input.fileType}`) {
    return storageError(403, "SignatureDoesNotMatch", "The Content-Type differs from the one that was signed.");
  }
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > context.capacity.uploadBytes) throw tooLarge("The file", context.capacity.uploadBytes);
  try {
    await context.uploads.write(input, await requestStream(request));
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    return storageError(400, "IncompleteBody", "The request ended before its whole body arrived.");
  }
  return new Response(null, { status: 200 });
}

function storedInput(context: SandboxContext, file: string) {
  const [id = "", extension] = file.split(".");
  const input = context.uploads.find(id);
  return input?.fileType === extension ? input : undefined;
}
