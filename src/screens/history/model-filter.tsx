import { useQuery } from "@tanstack/react-query";
import { useApi } from "#connection/connection-provider.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { Combobox } from "#ui/combobox.tsx";
import { FilterMenu } from "./filter-menu.tsx";

interface ModelFilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** The jobs of one model. A model that has left the catalogue can be typed. */
export function ModelFilter({ value, onChange }: ModelFilterProps) {
  const ids = useQuery(modelQueries(useApi()).ids());
  const options = (ids.data ?? []).map((id) => ({ value: id, label: id }));
  return (
    <FilterMenu label="Model" chosen={value} onClear={() => onChange(undefined)}>
      <Combobox
        label="Model id"
        allowCustom
        options={options}
        value={value}
        onChange={onChange}
        placeholder="Any model"
      />
    </FilterMenu>
  );
}
