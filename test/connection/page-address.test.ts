import "../setup/page-stand-in.ts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loadPage } from "./load-page.ts";

afterEach(() => history.replaceState(null, "", "/"));

describe("a key in the page's address", () => {
  it.each([
    ["/create?key=canary&model=m", "/create?model=m"],
    ["/connect?api_key=canary", "/connect"],
    ["/connect#key=canary", "/connect"],
    ["/connect?API_KEY=canary#token=canary&x=1", "/connect#x=1"],
    ["/connect?auth=canary&apikey[]=canary&client_secret=canary", "/connect"],
    ["/connect?x-api-key=canary&password=canary&sig=canary", "/connect"],
    ["/connect?q=sk-canary0a1B2c3D4e5F6g7H8", "/connect"],
    ["/connect?api%5Fkey=canary", "/connect"],
    ["/key/sk-canary0a1B2c3D4e5F6g7H8", "/"],
    ["/connect/token/canary", "/connect"],
    ["/connect#/key/canary", "/connect#/"],
    ["/connect#/create?token=canary&x=1", "/connect#/create?x=1"],
    ["/connect#sk-canary0a1B2c3D4e5F6g7H8", "/connect"],
    ["/connect?back=%2Fcreate%3Fkey%3Dcanary%26model%3Dm", "/connect?back=%2Fcreate%3Fmodel%3Dm"],
    ["/connect?key=abc;def123", "/connect"],
    ["/connect#access_token=aa/canary/cc1234&x=1", "/connect#x=1"],
    ["/connect#key=/abc/canary", "/connect"],
    ["/connect#key=abc?canary", "/connect"],
    ["/connect#sk-canary0a1B2c3D4e5F6g7H8?x=1", "/connect#?x=1"],
    ["/connect?q=https%3A%2F%2Fa.example%2Fsk-canary0a1B2c3D4e5F6g7H8", "/connect"],
    ["/history?status=failed", "/history?status=failed"],
    ["/history?q=a+b%20c&model=kling%2Fkey-frames-v2", "/history?q=a+b%20c&model=kling%2Fkey-frames-v2"],
    ["/jobs/req_01HZX3V9K2M4N6P8Q0R2S4T6V8", "/jobs/req_01HZX3V9K2M4N6P8Q0R2S4T6V8"],
    ["/create/acme%2Ftoken-mixer?p=a-sk-0a1B2c3D4e5F6g7H8i9", "/create/acme%2Ftoken-mixer?p=a-sk-0a1B2c3D4e5F6g7H8i9"],
  ])("%s becomes %s before anything else happens", async (address, rest) => {
    history.replaceState(null, "", address);
    await loadPage();
    expect(location.pathname + location.search + location.hash).toBe(rest);
  });

  it.each(["popstate", "hashchange"])("goes when it is put behind an open page: %s", async (type) => {
    await loadPage();
    for (const address of ["/create#key=canary", "/history?api_key=canary&status=failed", "/settings#/key/canary"]) {
      const seen: string[] = [];
      const see = () => seen.push(location.href);
      window.addEventListener(type, see, true);
      history.pushState({ of: "the router" }, "", address);
      window.dispatchEvent(new Event(type));
      window.removeEventListener(type, see, true);
      expect(seen.join()).not.toContain("canary");
      expect(location.href).not.toContain("canary");
      expect(history.state).toEqual({ of: "the router" });
    }
  });

  it("goes when a screen puts it there, where the browser tells of it", async () => {
    const navigation = new EventTarget();
    vi.stubGlobal("navigation", navigation);
    await loadPage();
    history.pushState(null, "", "/history?q=sk-canary0a1B2c3D4e5F6g7H8");
    navigation.dispatchEvent(new Event("currententrychange"));
    expect(location.pathname + location.search).toBe("/history");
    vi.unstubAllGlobals();
  });
});
