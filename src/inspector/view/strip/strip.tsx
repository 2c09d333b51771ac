import { memo } from "../common/memo.ts";
import { columnsIn } from "./scale.ts";
import { Arcs, Tracks } from "./strip-calls.tsx";
import { Bricks, FailureMark, Folds, ManyBricks, SucceededRetry, Ticks } from "./strip-marks.tsx";
import { type StripPlan, type StripProps, sizesOf } from "./strip-plan.ts";

/** The whole run on one line: the parts that do not change while scrubbing. */
export const Strip = memo(function Strip(props: StripProps) {
  const { run, scale, width, chosen } = props;
  const sizes = sizesOf(props.isSmall);
  const { height, inset, base } = sizes;
  const inner = width - 2 * inset;
  const plan: StripPlan = {
    ...props,
    ...sizes,
    x: (atMs) => inset + scale.xOf(atMs) * inner,
    opacityOf: (of) => (chosen?.has(of) === false ? 0.2 : 1),
  };
  const columns = columnsIn(run, Math.floor(inner / 3));
  const isMany = columns.length > 150;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <Arcs {...plan} />
      {isMany && <ManyBricks columns={columns} {...plan} />}
      {!isMany && columns.map((column) => <Bricks key={column.atMs} column={column} {...plan} />)}
      {columns.map((column) => (
        <FailureMark key={column.atMs} column={column} isMany={isMany} {...plan} />
      ))}
      {!isMany && columns.map((column) => <SucceededRetry key={column.atMs} column={column} {...plan} />)}
      <path d={`M${inset} ${base}H${width - inset}`} stroke="var(--line2)" />
      <Ticks columns={columns} {...plan} />
      <Folds {...plan} />
      <Tracks {...plan} />
    </svg>
  );
});
