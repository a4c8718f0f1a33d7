import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it, onTestFinished } from "vitest";
import { giveLayout } from "../../setup/give-layout.ts";
import { visitCreate } from "./visit-create.tsx";

const prompt = () => screen.findByRole("textbox", { name: "Prompt" });
const seed = () => screen.findByRole<HTMLInputElement>("textbox", { name: "Seed" });
const button = () => screen.getByRole("button", { name: "Run" });
/** The price of the form as it is now is known, and Run can be pressed. */
const ready = async () => {
  await waitFor(() => expect(button()).toHaveTextContent("$"));
  await waitFor(() => expect(screen.queryByText("Loading the price")).not.toBeInTheDocument());
  await waitFor(() => expect(button()).not.toHaveAttribute("aria-disabled"));
};

// Spec 7.
describe("a refusal of the service", () => {
  it("is shown beside the named field while there is no price", async () => {
    const { user } = await visitCreate("/create/halide-omni");
    // Before anything was typed it is not an error yet.
    const early = await screen.findByText(
      /^No price yet\. The service says: .*prompt is required unless multi_shot is true\.$/,
    );
    expect(early).toBeVisible();
    expect(await prompt()).toBeValid();
    await user.type(await prompt(), "A storm");
    await ready();
    await user.click(screen.getByRole("switch", { name: "Several shots" }));
    expect(await screen.findByText("payload: multi_prompt is required when multi_shot is true")).toBeVisible();
    expect(
      await screen.findByText("No price. The service refuses the value of Shots. Nothing was charged."),
    ).toBeVisible();
    await user.click(button());
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Shots" })).toHaveFocus());
    await user.click(screen.getByRole("switch", { name: "Several shots" }));
    await ready();
    expect(screen.queryByText(/multi_prompt is required/)).not.toBeInTheDocument();
  });

  it("is shown beside the field of a rejected run until that field changes", async () => {
    const { user } = await visitCreate("/create/lumen-2");
    await user.type(await prompt(), "error:provider");
    await ready();
    await user.click(button());
    expect(await screen.findByRole("alert")).toHaveTextContent("Nothing was charged.");
    await waitFor(async () => expect(await prompt()).toHaveAccessibleDescription(/The prompt is malformed/));
    await user.type(await prompt(), " again");
    expect(await prompt()).not.toHaveAccessibleDescription(/malformed/);
  });
});

describe("the price", () => {
  it("is asked for a few times while nine words are written, and exactly before the run", async () => {
    const { user, sandbox } = await visitCreate("/create/lumen-2");
    const asked = () => sandbox.sandbox.inspect().requests.filter(({ path }) => path.endsWith("/estimate")).length;
    for (const word of "A lamp in the fog above a quiet harbour".split(" ")) {
      await user.type(await prompt(), `${word} `);
      await ready();
    }
    // Four where nothing else takes time. A slow machine may reach the long rest between words.
    expect(asked()).toBeLessThan(7);
    const before = asked();
    expect(screen.getByText("Expected price, checked when you run")).toBeVisible();
    await user.click(button());
    await waitFor(() => expect(sandbox.sandbox.inspect().jobs).toHaveLength(1));
    expect(asked()).toBeGreaterThan(before);
  });

  it("is asked for at once when a parameter changes that moves it", async () => {
    const { user } = await visitCreate("/create/lumen-2");
    for (const word of ["A ", "lamp ", "in ", "fog "]) {
      await user.type(await prompt(), word);
      await ready();
    }
    const price = button().textContent;
    await user.click(screen.getByRole("radio", { name: "2" }));
    await screen.findByText("Loading the price");
    await screen.findByText(/^2 images × /);
    expect(button().textContent).not.toBe(price);
  });
});

// M8
describe("an answer that says neither yes nor no", () => {
  it("is shown with its words, and Run says what it waits for", async () => {
    const { user, sandbox } = await visitCreate("/create/lumen-2");
    await user.type(await prompt(), "gateway:before");
    await ready();
    await user.click(button());
    expect(await screen.findByText(/The reply was 502: Bad Gateway\. It may come from a gateway/)).toBeVisible();
    expect(screen.getByText(/It is not known yet whether it was charged/)).toBeVisible();
    expect(screen.getByText(/^Run waits until the last run is confirmed, about/)).toBeVisible();
    expect(button()).toHaveAttribute("aria-disabled", "true");
    await user.type(await prompt(), " and other words");
    await user.click(button());
    expect(sandbox.sandbox.inspect().jobs).toHaveLength(0);
    expect(screen.queryByText(/Nothing was charged/)).not.toBeInTheDocument();
  });
});

it("shows the words of a firewall's page, and does not say that nothing was charged", async () => {
  const { user, sandbox } = await visitCreate("/create/lumen-2", { quirks: ["error-html"] });
  await user.type(await prompt(), "error:provider");
  await ready();
  await user.click(button());
  expect(await screen.findByText(/The reply was 400: .* It may come from a gateway/)).toBeVisible();
  expect(screen.getByText(/It is not known yet whether it was charged/)).toBeVisible();
  expect(screen.queryByText(/Nothing was charged/)).not.toBeInTheDocument();
  expect(sandbox.sandbox.inspect().jobs).toHaveLength(0);
});

describe("a key that is held", () => {
  const jobs = (sandbox: Awaited<ReturnType<typeof visitCreate>>["sandbox"]) => sandbox.sandbox.inspect().jobs;

  it("presses Run once, and nothing else that has the focus by then", async () => {
    const { user, sandbox } = await visitCreate("/create/lumen-2-fast");
    await user.type(await prompt(), "A lamp");
    await ready();
    button().focus();
    await user.keyboard("{Enter}");
    await screen.findByRole("button", { name: "A lamp, Done" });
    await ready();
    // A browser presses a button with each repetition of Enter that nobody prevents.
    const repeatEnter = () => [...Array(15)].map(() => fireEvent.keyDown(focused(), { key: "Enter", repeat: true }));
    const focused = () => document.activeElement ?? document.body;
    expect(focused()).toBe(button());
    expect(new Set(repeatEnter())).toEqual(new Set([false]));
    screen.getByRole("link", { name: "Price table" }).focus();
    expect(new Set(repeatEnter())).toEqual(new Set([false]));
    // In a text it makes lines.
    (await prompt()).focus();
    expect(new Set(repeatEnter())).toEqual(new Set([true]));
    expect(jobs(sandbox)).toHaveLength(1);
    button().focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(jobs(sandbox)).toHaveLength(2));
  });

  it("in a field never runs, however often it is pressed", async () => {
    const { user, sandbox } = await visitCreate("/create/grainfield");
    await user.type(await prompt(), "Moss garden");
    await user.type(await seed(), "7{Enter>15/}");
    // What a browser does at Enter where a form has one field of one line.
    for (let times = 0; times < 14; times += 1) (await seed()).form?.requestSubmit();
    await ready();
    await user.type(await seed(), "{Enter}");
    (await seed()).form?.requestSubmit();
    expect(button()).not.toHaveAttribute("aria-disabled");
    expect(jobs(sandbox)).toHaveLength(0);
    await user.click(button());
    await waitFor(async () => expect(await seed()).not.toHaveValue("7"));
    expect(jobs(sandbox)).toHaveLength(1);
  });
});

describe("a seed", () => {
  it("is redrawn after an accepted run, unless it is locked", async () => {
    const { user, sandbox } = await visitCreate("/create/grainfield");
    await user.type(await prompt(), "Moss garden");
    await user.type(await seed(), "7");
    await ready();
    await user.click(button());
    await waitFor(async () => expect(await seed()).not.toHaveValue("7"));
    expect(sandbox.sandbox.inspect().jobs).toHaveLength(1);
    const drawn = (await seed()).value;
    await user.click(screen.getByRole("button", { name: "Lock" }));
    await ready();
    await user.click(button());
    await waitFor(() => expect(sandbox.sandbox.inspect().jobs).toHaveLength(2));
    await waitFor(() => expect(screen.queryByText("Checking the price")).not.toBeInTheDocument());
    expect(await seed()).toHaveValue(drawn);
  });
});

describe("how the parameters were read", () => {
  it("is shown below the form; a corrected role changes it and stays", async () => {
    const { user } = await visitCreate("/create/dead-pixel");
    await user.type(await prompt(), "https://a.example/1.png");
    await user.click(
      await screen.findByRole("button", { name: "Field mapping (advanced): 1 field from a list of parameters" }),
    );
    await user.selectOptions(await screen.findByLabelText("Role of Prompt"), "Image");
    const input = await screen.findByRole("group", { name: "Prompt" });
    expect(within(input).getByRole("textbox", { name: "Prompt" })).toHaveValue("https://a.example/1.png");
    expect(localStorage.getItem("safelight.roles")).toContain("dead-pixel");
  });
});

async function run(user: UserEvent, words: string) {
  const prompt = await screen.findByRole("textbox", { name: "Prompt" });
  await user.clear(prompt);
  await user.type(prompt, words);
  const button = screen.getByRole("button", { name: "Run" });
  await waitFor(() => expect(button).toHaveTextContent("$"));
  await waitFor(() => expect(button).not.toHaveAttribute("aria-disabled"));
  await user.click(button);
  await screen.findByRole("button", { name: `${words}, Done` });
}

// The comparison opens also where the history shows a page that holds neither job.
it("a result is compared with the run before it by its key", async () => {
  onTestFinished(giveLayout());
  const { user, router } = await visitCreate("/create/lumen-2-fast");
  await run(user, "Moss");
  await screen.findByRole("link", { name: "Edit and run again" });
  // There is nothing to compare the first one with.
  expect(screen.queryByRole("link", { name: "Compare" })).not.toBeInTheDocument();
  await run(user, "Fern");
  await screen.findByRole("link", { name: "Compare" });
  screen.getByRole("link", { name: "Edit and run again" }).focus();
  await user.keyboard("m");
  const names = ["Moss", "Fern"];
  const shown = async () => {
    const dialog = await screen.findByRole("dialog", { name: /^Compare/ });
    for (const name of names) expect(dialog).toHaveTextContent(name);
  };
  await shown();
  const { compare } = router.state.location.search as { compare: string };
  await router.navigate({ to: "/history", search: { status: "failed", compare } });
  await shown();
});
