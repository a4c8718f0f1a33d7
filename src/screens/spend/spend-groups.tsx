import type { SpendGroup } from "#jobs/ledger/spend-summary.ts";
import { formatMicroUsd } from "#lib/money.ts";

const NUMBER = "px-3 py-1.5 text-right tabular-nums whitespace-nowrap";

/** What was spent by model, or by kind of media. */
export function SpendGroups({ title, groups }: { title: string; groups: readonly SpendGroup[] }) {
  return (
    <section className="min-w-0">
      <h2 className="m-0 mb-2 font-semibold text-[13.5px]">{title}</h2>
      <div className="overflow-x-auto rounded-md border border-line">
        <table className="w-full border-collapse text-left">
          <thead className="text-[12.5px] text-ink-3">
            <tr>
              <th scope="col" className="px-3 py-1.5 font-normal">
                Name
              </th>
              <th scope="col" className={`${NUMBER} font-normal`}>
                Jobs
              </th>
              <th scope="col" className={`${NUMBER} font-normal`}>
                Refunded
              </th>
              <th scope="col" className={`${NUMBER} font-normal`}>
                Spent
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.name} className="border-line border-t">
                <th scope="row" className="max-w-[24ch] truncate px-3 py-1.5 font-medium">
                  {group.name}
                </th>
                <td className={NUMBER}>{group.jobs.toLocaleString("en-US")}</td>
                <td className={NUMBER}>{group.refundedMicroUsd > 0 ? formatMicroUsd(group.refundedMicroUsd) : ""}</td>
                <td className={NUMBER}>{formatMicroUsd(group.chargedMicroUsd - group.refundedMicroUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
