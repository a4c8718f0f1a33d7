import { render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
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
  expect(screen.getByText("Storage not named")).toBeVisible();
  expect(screen.getByText(/SAFELIGHT_SERVICE/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Open in a new tab" })).toHaveAttribute("href", ELSEWHERE);
  expect(screen.queryByRole("img")).toBeNull();
});

it("leaves everything to the host where there is one", () => {
  document.head.innerHTML = '<meta name="safelight-host" content="here">';
  expect(isOutOfReach(ELSEWHERE)).toBe(false);
});
