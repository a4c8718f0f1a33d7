import { create } from "zustand";

interface Offer {
  /** The form and the field that the files are for. */
  form: string;
  key: string;
  files: readonly File[];
}

/** Files that were dropped somewhere on Create, until their field takes them: it may be folded away or still loading. */
export const useFileDesk = create<{ offers: readonly Offer[] }>(() => ({ offers: [] }));

export function offerFiles(form: string, key: string, files: readonly File[]): void {
  useFileDesk.setState(({ offers }) => ({ offers: [...offers, { form, key, files }] }));
}

/** Takes an offer off the desk. */
export function takeOffer(offer: Offer): void {
  useFileDesk.setState(({ offers }) => ({ offers: offers.filter((other) => other !== offer) }));
}
