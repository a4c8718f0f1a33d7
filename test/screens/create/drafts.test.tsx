import { renderHook } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { createFormHandle, PAYLOAD_TEXT } from "#schema-form/form/form-handle.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { putIntoDraft, useOpenForm, useStartingPayload } from "#screens/create/drafts.ts";
import { loadDraft, saveDraft } from "#storage/drafts.ts";

const schema = readSchema([
  { name: "prompt", type: "string" },
  { name: "image", type: "image" },
]);
const putImage = (payload: JsonRecord) => ({ ...payload, image: "https://files.example/a.png" });

function openForm(modelId: string, payload: JsonRecord) {
  const form = createFormHandle(modelId, schema, payload);
  return { form, ...renderHook(() => useOpenForm("", modelId, form)) };
}

describe("a change from elsewhere", () => {
  it("waits while the JSON text is broken, and is in what is made of it", () => {
    const { form } = openForm("lumen", { prompt: "A fox" });
    form.setUnreadable(PAYLOAD_TEXT, "Invalid JSON");
    putIntoDraft("", "lumen", putImage);
    form.setPayload({ prompt: "A hare" });
    expect(form.getPayload()).toEqual({ prompt: "A hare", image: "https://files.example/a.png" });
  });

  it("is in the draft where the form was left with a broken text", async () => {
    await saveDraft("", "halide", { prompt: "A fox" });
    const { form, unmount } = openForm("halide", { prompt: "A fox" });
    form.setUnreadable(PAYLOAD_TEXT, "Invalid JSON");
    putIntoDraft("", "halide", putImage);
    unmount();
    await expect.poll(async () => (await loadDraft("", "halide"))?.payload).toHaveProperty("image");
  });

  it("is in a form that opens before it is written", async () => {
    const start = renderHook(() => useStartingPayload("tidewater"));
    putIntoDraft("", "tidewater", putImage);
    await expect.poll(() => start.result.current).toHaveProperty("image");
  });
});
