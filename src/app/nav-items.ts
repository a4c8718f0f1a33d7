import { Images, type LucideIcon, MessageSquareText, Settings, Sparkles, Wallet } from "lucide-react";

/** The five places of the studio, in the order of the rail and of the phone's tabs. */
export const NAV_ITEMS = [
  { to: "/create", label: "Create", icon: Sparkles },
  { to: "/history", label: "History", icon: Images },
  { to: "/playground", label: "Playground", icon: MessageSquareText },
  { to: "/spend", label: "Spend", icon: Wallet },
  { to: "/settings", label: "Settings", icon: Settings },
] as const satisfies readonly { to: string; label: string; icon: LucideIcon }[];
