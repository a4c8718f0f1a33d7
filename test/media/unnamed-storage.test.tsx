import { render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { downloadMedia } from "#media/download/download-media.ts";
import { fetchMedia, isOutOfReach } from "#media/fetch-media.ts";
import { MediaView } from "#media/show/media-view.tsx";

const ELSEWHERE = "https://elsewhere.example/lamp.png";

beforeEach(() => {
  vi.stubEnv("SAFELIGHT_SERVICE", "https://api.example.com https://cdn.example.com");
  document.head.innerHTML = '<meta name="safelight-host" content="none">';
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  document.head.innerHTML = "";
});

it("asks for nothing that the content policy would refuse", async () => {
  const asked = vi.fn(async () => new Response("x"));
  vi.stubGlobal("fetch", asked);
  await expect(fetchMedia(ELSEWHERE)).rejects.toMatchObject({ failure: "unnamed" });
  expect(asked).not.toHaveBeenCalled();
  await fetchMedia("https://cdn.example.com/lamp.png");
  expect(asked).toHaveBeenCalledTimes(1);
});

it("says why a file is not shown, and links to it", () => {
  render(<MediaView item={{ id: "1", url: ELSEWHERE, kind: "image" }} alt="A lamp" />);
  expect(screen.getByText("Storage not allowed in this build")).toBeVisible();
  expect(screen.getByText(/SAFELIGHT_SERVICE/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Open in a new tab" })).toHaveAttribute("href", ELSEWHERE);
  expect(screen.queryByRole("img")).toBeNull();
});

it("opens the file in a tab of its own where it is to be downloaded, and says who is asked", async () => {
  const opened: string[] = [];
  vi.stubGlobal("open", (url: string) => void opened.push(url));
  const job = { requestId: "1", model: "lumen", payload: undefined, createdAtSeconds: 1_700_000_000 };
  const outcome = await downloadMedia({ job, item: { id: "1", url: ELSEWHERE, kind: "image" }, index: 0 });
  expect(opened).toEqual([ELSEWHERE]);
  expect(outcome).toMatchObject({
    how: "opened",
    reason: expect.stringMatching(
      /loads the file directly from elsewhere.example\. The service kept it until \d+ Jan 2024, so it may be gone\./,
    ),
  });
});

it("leaves everything to the host where there is one", () => {
  document.head.innerHTML = '<meta name="safelight-host" content="here">';
  expect(isOutOfReach(ELSEWHERE)).toBe(false);
});
