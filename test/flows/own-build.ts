import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface OwnBuild {
  /** The host that serves this build, for `startHost`. */
  mainFile: string;
  /** The folder of the page's files. */
  dist: string;
  /** Takes one file of the screens' code away. Resolves to the way to put it back. */
  takeAway(name: RegExp): Promise<() => Promise<void>>;
  /** Deploys another build over this one: the same code under other names, and the old names are gone. */
  deployNext(): Promise<void>;
  remove(): Promise<void>;
}

/** A copy of the built studio and its host, for a story that changes what is deployed. */
export async function copyBuild(): Promise<OwnBuild> {
  const folder = await mkdtemp(join(tmpdir(), "safelight-build-"));
  // A compressed copy would go on being served in place of what the story changes.
  const isServed = (path: string) => !/\.(br|gz)$/.test(path);
  for (const part of ["dist", "dist-host"]) {
    await cp(join(ROOT, part), join(folder, part), { recursive: true, filter: isServed });
  }
  // The host looks for its one native package beside itself.
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  const dist = join(folder, "dist");
  const assets = join(dist, "assets");
  return {
    mainFile: join(folder, "dist-host/main.js"),
    dist,
    takeAway: async (name) => {
      const file = (await readdir(assets)).find((candidate) => name.test(candidate));
      if (!file) throw new Error(`The build has no ${name}.`);
      await rename(join(assets, file), join(folder, file));
      return () => rename(join(folder, file), join(assets, file));
    },
    deployNext: async () => {
      const next = join(folder, "next");
      await cp(dist, next, { recursive: true });
      const scripts = new Set((await readdir(assets)).filter((file) => file.endsWith(".js")));
      const nextName = (script: string) => script.replace(/\.js$/, ".next.js");
      const renamed = (text: string) =>
        text.replaceAll(/[\w-]+(\.next)*\.js/g, (name) => (scripts.has(name) ? nextName(name) : name));
      for (const file of ["index.html", "start.js", ...[...scripts].map((script) => join("assets", script))]) {
        await writeFile(join(next, file), renamed(await readFile(join(next, file), "utf8")));
      }
      for (const script of scripts) await rename(join(next, "assets", script), join(next, "assets", nextName(script)));
      // At once: no page ever sees half of it.
      await rename(dist, join(folder, `before-${Date.now()}`));
      await rename(next, dist);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
