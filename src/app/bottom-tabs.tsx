import { Link } from "@tanstack/react-router";
import { NAV_ITEMS } from "./nav-items.ts";

/** The rail of a phone: five tabs at the bottom, within reach of the thumb. */
export function BottomTabs() {
  return (
    <nav aria-label="Main" className="border-line border-t bg-canvas pb-[env(safe-area-inset-bottom)]">
      <ul className="m-0 grid list-none grid-cols-5 p-0">
        {NAV_ITEMS.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className="flex h-14 flex-col items-center justify-center gap-1 text-[11.5px] text-ink-3 aria-[current=page]:font-medium aria-[current=page]:text-accent-text"
            >
              <Icon aria-hidden="true" className="size-[18px]" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
