import { ChoicesControl } from "../controls/choices-control.tsx";
import { ColourControl } from "../controls/colour-control.tsx";
import type { ControlProps } from "../controls/control-props.ts";
import { GroupControl } from "../controls/group-control.tsx";
import { JsonControl } from "../controls/json-control.tsx";
import { ListControl } from "../controls/list-control.tsx";
import { MapControl } from "../controls/map-control.tsx";
import { MediaControl } from "../controls/media-control.tsx";
import { NullControl } from "../controls/null-control.tsx";
import { TupleControl } from "../controls/tuple-control.tsx";
import { UnionControl } from "../controls/union-control.tsx";
import type { Control } from "./nested-field.tsx";

/** What a structured control shows: the field as it is, a chosen null, or the value as JSON. */
export type StructuredAs = "itself" | "null" | "json";

/** The controls that most forms do without: structures, colours, null and JSON. Loaded with the first that needs one. */
export function StructuredControl({
  field,
  shownAs,
  control,
  ...rest
}: ControlProps & { shownAs: StructuredAs; control: Control }) {
  if (shownAs === "json") return <JsonControl {...rest} field={field} />;
  if (shownAs === "null") return <NullControl {...rest} field={field} />;
  switch (field.kind) {
    case "choices":
      return <ChoicesControl {...rest} field={field} />;
    case "media":
      return <MediaControl {...rest} field={field} />;
    case "colour":
      return <ColourControl {...rest} field={field} />;
    case "group":
      return <GroupControl {...rest} field={field} control={control} />;
    case "list":
      return <ListControl {...rest} field={field} control={control} />;
    case "tuple":
      return <TupleControl {...rest} field={field} control={control} />;
    case "map":
      return <MapControl {...rest} field={field} control={control} />;
    case "union":
      return <UnionControl {...rest} field={field} control={control} />;
    default:
      return <JsonControl {...rest} field={field} />;
  }
}
