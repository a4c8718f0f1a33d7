import { Dialog } from "#ui/dialog.tsx";
import { ModelPickerBody } from "./model-picker-body.tsx";

/** The dialog in which a generation model is chosen. It closes itself after a choice. */
export function ModelPicker({
  open,
  onOpenChange,
  selectedId,
  onSelect,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  selectedId: string | undefined;
  onSelect: (id: string) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Choose a model" size="md">
      <ModelPickerBody
        selectedId={selectedId}
        withTextModels
        onSelect={(id) => {
          onOpenChange(false);
          onSelect(id);
        }}
      />
    </Dialog>
  );
}
