const ICONS = { plain: "/favicon.svg", done: "/favicon-done.svg", failed: "/favicon-failed.svg" } as const;

let ownTitle: string | undefined;

/** Shows in the tab's title and icon what finished while nobody looked. */
export function showTabSign(text: string, icon: "done" | "failed"): void {
  ownTitle ??= document.title;
  document.title = `${text} · ${ownTitle}`;
  setIcon(ICONS[icon]);
}

/** Takes the sign away: the person is back. */
export function clearTabSign(): void {
  if (ownTitle === undefined) return;
  document.title = ownTitle;
  ownTitle = undefined;
  setIcon(ICONS.plain);
}

function setIcon(href: string): void {
  document.querySelector("link[rel=icon]")?.setAttribute("href", href);
}

/** Two soft tones. Silent where the browser wants a click first. */
export function playChime(): void {
  if (typeof AudioContext === "undefined") return;
  const context = new AudioContext();
  for (const [index, hertz] of [660, 880].entries()) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const from = context.currentTime + index * 0.14;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.08, from);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + 0.3);
  }
  setTimeout(() => void context.close().catch(() => {}), 1_000);
}
